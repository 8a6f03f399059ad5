"""Ferries: tracks that ask for locomotives (EUR-11)."""
