"""Festivals: cards that lie at cities until a track reaches them (IBE-02, IBE-07, IBE-13 .. IBE-16)."""
