"""Fixtures and helpers all tests share."""
