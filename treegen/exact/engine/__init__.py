"""The engine of the exact search: branch and bound over states, told in `search`."""
