"""Loads pretrained checkpoints and turns texts into tokens and vectors."""
