"""Integrations with other tools: pytest and TextAttack."""
