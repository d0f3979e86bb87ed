"""What probes may look at besides the benchmark: predictions, accuracies, ratings, scans."""
