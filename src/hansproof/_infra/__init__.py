"""Infrastructure that knows nothing of benchmarks: files, hashes, locks, progress, threads."""
