"""One search by several: threads that share memory, workers that share nothing."""
