"""What the bots of the kernel are made of: the plan they work in, chains of tracks, cards, claims."""
