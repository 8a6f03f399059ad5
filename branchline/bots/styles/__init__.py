"""Four published styles of play, written anew (decision 10), and choices by chance."""
