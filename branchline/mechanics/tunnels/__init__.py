"""Tunnels: cards turned up may make a track dearer (EUR-12 .. EUR-17, EUR-21 .. EUR-23)."""
