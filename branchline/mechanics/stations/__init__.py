"""Stations: built in a city, they lend a track of somebody else's for tickets (EUR-04 .. EUR-10)."""
