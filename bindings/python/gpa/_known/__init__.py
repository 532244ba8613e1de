"""Models that are known from inside, and asked faster than by calling them."""
