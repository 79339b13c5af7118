"""The kernels of the exact search: branch and bound over states, and what it knows of each."""
