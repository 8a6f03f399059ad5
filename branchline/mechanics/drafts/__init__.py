"""Drafts: tickets taken from packs that go round (IBE-03 .. IBE-06, IBE-08 .. IBE-10, IBE-19)."""
