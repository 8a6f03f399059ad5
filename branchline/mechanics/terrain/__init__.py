"""Terrain: cards that double the points of a track (AFR-04 .. AFR-15, AFR-21)."""
