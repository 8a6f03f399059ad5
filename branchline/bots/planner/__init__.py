"""The planner, the fourth level: it plans its whole network by turns and cards, and fears for what it may lose."""
