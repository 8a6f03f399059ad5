"""Mail: bags that lie in the cities, each addressed to another, carried by tracks (CAR-03 .. CAR-16)."""
