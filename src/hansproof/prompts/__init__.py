"""Prompts for language models: formats of items, and prompt files that a user can change."""
