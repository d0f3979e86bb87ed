"""How models are trained: units that no fold parts, recipes, the store of finished runs."""
