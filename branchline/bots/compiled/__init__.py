"""The bots compiled by Numba, and the memory a thread calls them in."""
