"""Golden games: recorded once, and replayed line for line ever since."""
