"""Results, audits and tables for the terminal."""
