"""Reads records from files: lines, columns, choices, answers, spreadsheets."""
