"""The conductor, the third level: the cheapest tracks that join its tickets, then points."""
