"""The game in the terminal: a table drawn with rich, or pure lines of text for screen readers and pipes."""
