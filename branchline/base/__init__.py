"""The base game's part of the face, in the shape that a mechanic has: what every map has."""
