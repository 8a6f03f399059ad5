"""What a finished game tells: every decision judged by what its player knew, and luck told from skill."""
