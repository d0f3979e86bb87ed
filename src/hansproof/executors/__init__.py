"""Runs lists of resumable jobs: in threads, in processes, or on Ray."""
