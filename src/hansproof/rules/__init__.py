"""Rules that give answers away: features of choices by rung, a search for rules, and tests."""
