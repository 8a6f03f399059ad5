"""Imagined worlds, and games played on in them: the part of the search that is kernel Python."""
