"""Web Push: a message that only one browser can read (RFC 8291), sent with a proof of who sends it (RFC 8292).

Only `cryptography` is needed for it. pywebpush would bring two HTTP clients that follow redirects and look names up
by themselves (decision 14).
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from branchline.server.notices.reaching import Answered, Reaching

POINT_BYTES: Final = 65
AUTH_BYTES: Final = 16
LIVES_SECONDS: Final = 12 * 3600  # of a proof; at most a day
PADDED: Final = 512  # bytes: the length of a message says little about what is in it
MOST_BYTES: Final = 3000  # of a message; push services take 4096 bytes in all
_RECORD: Final = 4096
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256


def b64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str, length: int) -> bytes:
    """So many bytes; raises `ValueError`."""
    if len(text) > 2 * length:
        raise ValueError("too long")
    data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    if len(data) != length or b64(data) != text.rstrip("="):
        raise ValueError(f"not {length} bytes")
    return data


def read_point(text: str) -> ec.EllipticCurvePublicKey:
    """A browser's key: a point of the curve P-256; raises `ValueError`."""
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(text, POINT_BYTES))


# ---------------------------------------------------------------- who sends


def private_key(secret: bytes) -> ec.EllipticCurvePrivateKey:
    """The key that 32 random bytes stand for."""
    return ec.derive_private_key(int.from_bytes(secret, "big") % (_ORDER - 1) + 1, ec.SECP256R1())


def public_key(secret: bytes) -> str:
    """As a browser wants it when it subscribes."""
    return b64(_point(private_key(secret).public_key()))


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def proof(secret: bytes, audience: str, contact: str, now: float) -> str:
    """The header that proves who sends to a push service, for some hours."""
    key = private_key(secret)
    claims = {"aud": audience, "exp": int(now) + LIVES_SECONDS, "sub": contact}
    told = ".".join(b64(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(key.sign(told.encode(), ec.ECDSA(SHA256())))
    signature = b64(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={told}.{signature}, k={b64(_point(key.public_key()))}"


# ---------------------------------------------------------------- what is sent


def encrypted(
    body: bytes,
    p256dh: str,
    auth: str,
    salt: bytes | None = None,
    ours: ec.EllipticCurvePrivateKey | None = None,
    padded: int = PADDED,
) -> bytes:
    """A message for the browser with these keys alone. `salt` and `ours` are new for each; a test gives its own."""
    theirs, secret = read_point(p256dh), unb64(auth, AUTH_BYTES)
    salt, ours = salt or os.urandom(16), ours or ec.generate_private_key(ec.SECP256R1())
    mine = _point(ours.public_key())
    shared = _derived(secret, ours.exchange(ec.ECDH(), theirs), b"WebPush: info\0" + _point(theirs) + mine, 32)
    key = _derived(salt, shared, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(salt, shared, b"Content-Encoding: nonce\0", 12)
    plain = body + b"\2"
    plain += bytes(-len(plain) % padded)
    head = salt + _RECORD.to_bytes(4, "big") + bytes([len(mine)]) + mine
    return head + AESGCM(key).encrypt(nonce, plain, None)


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """HKDF with SHA-256, of one block (RFC 5869)."""
    extracted = hmac.digest(salt, secret, hashlib.sha256)
    return hmac.digest(extracted, info + b"\1", hashlib.sha256)[:length]


@dataclass(frozen=True, slots=True)
class Message:
    """One message to one browser; `topic`: of those that wait at the push service the last of a topic is delivered."""

    endpoint: str
    p256dh: str
    auth: str
    body: bytes
    topic: str  # 32 letters of base64url at most
    seconds: int  # after which nobody needs it any more
    secret: bytes  # of our key that this browser knows


def topic_of(secret: bytes, user: str, table: str) -> str:
    """The topic of a person's messages about a table; it tells a push service nothing of which table it is."""
    return b64(hmac.digest(secret, f"branchline topic 1:{user}:{table}".encode(), hashlib.sha256))[:32]


class PushSender:
    """Sends messages; on a thread that may wait."""

    def __init__(self, reaching: Reaching, contact: str) -> None:
        self._reaching = reaching
        self._contact = contact

    def send(self, message: Message, now: float) -> Answered:
        """What the push service said. Raises `BadEndpoint`, `Unreached`, `Unanswered`, or `ValueError` for bad keys."""
        if len(message.body) > MOST_BYTES:
            raise ValueError("too long a message")
        endpoint = self._reaching.endpoint(message.endpoint)
        headers = {
            "Authorization": proof(message.secret, endpoint.origin, self._contact, now),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(message.seconds),
            "Urgency": "normal",
            "Topic": message.topic,
        }
        return self._reaching.post(endpoint, headers, encrypted(message.body, message.p256dh, message.auth))
