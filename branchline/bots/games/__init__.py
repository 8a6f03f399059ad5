"""Games between the bots inside the kernel, and what is noted of them."""
