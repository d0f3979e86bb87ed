"""Training of models: splits without leakage, recipes, and an engine for fine-tuning."""
