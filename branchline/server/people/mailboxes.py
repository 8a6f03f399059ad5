"""Addresses for mail, as they are counted: many ways to write one lead to one mailbox."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

_DOTLESS: Final = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}  # dots before the @ mean nothing there


def folded(address: str) -> str:
    """The plainest way to write an address."""
    name, _, domain = address.lower().rpartition("@")
    name = name.partition("+")[0] or name
    if domain in _DOTLESS:
        name, domain = name.replace(".", ""), _DOTLESS[domain]
    return f"{name}@{domain}"


def address_digest(address: str) -> str:
    """By what an address is counted, and kept where it wants no mail: however it is written, and unreadable."""
    return urlsafe_b64encode(sha256(folded(address).encode()).digest()).rstrip(b"=").decode()
