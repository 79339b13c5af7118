"""The public functions that write trees, read them from other forms, and compile the kernels."""
