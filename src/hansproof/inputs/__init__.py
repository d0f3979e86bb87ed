"""Loads the inputs of probes besides the benchmark: predictions, accuracies, ratings, scans."""
