"""The buses, what is built on them, and what happens when they fail."""
