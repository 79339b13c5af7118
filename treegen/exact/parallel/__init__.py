"""One search done by several: threads that share memory, workers that share nothing."""
