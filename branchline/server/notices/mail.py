"""Mail, where who runs the service has set a server for it: what a mail says, and how it is handed over.

An address is a line of plain letters (`checked_address`), and a header takes one line alone (`EmailMessage`): whoever
gives an address or a name can add nothing to a mail.
"""

from __future__ import annotations

import re
import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr
from typing import Final
from urllib.parse import unquote, urlsplit

from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import Sentence
from branchline.server.words.notices import words

SECONDS: Final = 15.0  # for each step with the mail server
LONGEST: Final = 254  # characters of an address
_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*"
    r"@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])"
)
_POLICY: Final = SMTP.clone(max_line_length=900)  # a link in a header that is broken is none
_LOCAL: Final = ("localhost", "127.0.0.1", "::1")


class MailUnreached(Exception):
    """The mail server did not take it: it can be tried again."""


class MailRefused(Exception):
    """The mail server takes no mail to this address."""


class MailUnknown(Exception):
    """It was handed over, and no answer came: whether it is sent is not known."""


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """Where mail is handed over. `security`: "tls" from the first byte, "starttls", or "none" on this machine."""

    host: str
    port: int
    security: str
    user: str = ""
    password: str = ""


@dataclass(frozen=True, slots=True)
class Mail:
    to: str
    subject: str
    text: str
    stop: str  # the address that ends all mail


def read_server(url: str) -> SmtpServer:
    """`smtp://USER:PASSWORD@HOST:PORT` (with STARTTLS, but on this machine) or `smtps://…`; raises `ValueError`."""
    parts = urlsplit(url)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise ValueError("a mail server is written smtp://USER:PASSWORD@HOST:PORT, or smtps://…")
    tls = parts.scheme == "smtps"
    security = "tls" if tls else "none" if parts.hostname in _LOCAL else "starttls"
    port = parts.port or (465 if tls else 25 if security == "none" else 587)
    return SmtpServer(parts.hostname, port, security, unquote(parts.username or ""), unquote(parts.password or ""))


def read_sender(text: str) -> str:
    """The address mail comes from, with a name or without; raises `ValueError`."""
    name, address = parseaddr(text)
    if not _ADDRESS.fullmatch(address) or not text.isprintable():
        raise ValueError("a sender is written post@example.org, or Branchline <post@example.org>")
    return f"{name} <{address}>" if name else address


def checked_address(text: str) -> str:
    """An address as mail is sent to it; raises `BadRequest`."""
    address = text.strip()
    name = address.partition("@")[0]
    if len(address) > LONGEST or len(name) > 64 or not _ADDRESS.fullmatch(address):
        raise BadRequest(Sentence("bad_address", "this is not an address that mail can be sent to").about("address"))
    return address


class Mailer:
    """Makes mails and hands them over; on a thread that may wait. `origin` is where the page is for everybody."""

    def __init__(self, server: SmtpServer, sender: str, origin: str) -> None:
        self._server = server
        self._sender = sender
        self.origin = origin.rstrip("/")

    # ------------------------------------------------------------ what is said

    def notice(self, to: str, lang: str, told: str, where: str, table: str, stop: str) -> Mail:
        say = words(lang)
        lines = [f"{told}.", where, "", say["open"], f"{self.origin}/t/{table}", "", "-- "]
        lines += [say["because"].format(origin=self.origin), f"{say['change']} {self.origin}/settings"]
        return Mail(to, f"Branchline: {told} ({where})", self._ended(lines, lang, stop), self.stop_link(stop))

    def question(self, to: str, lang: str, token: str, stop: str) -> Mail:
        """Whether an address is theirs who gave it."""
        say = words(lang)
        lines = [say["ask"].format(origin=self.origin), "", say["ask_yes"], f"{self.origin}/api/mail/confirm/{token}"]
        lines += ["", say["ask_no"], "", "-- "]
        return Mail(to, say["ask_subject"], self._ended(lines, lang, stop), self.stop_link(stop))

    def _ended(self, lines: list[str], lang: str, stop: str) -> str:
        return "\n".join([*lines, f"{words(lang)['end']} {self.stop_link(stop)}", ""])

    def stop_link(self, stop: str) -> str:
        return f"{self.origin}/api/mail/stop/{stop}"

    def message(self, mail: Mail) -> EmailMessage:
        """The mail with its headers; a program that reads it can end all with one click (RFC 8058)."""
        message = EmailMessage(policy=_POLICY)
        message["From"] = self._sender
        message["To"] = mail.to
        message["Subject"] = " ".join(mail.subject.split())
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=parseaddr(self._sender)[1].partition("@")[2])
        message["List-Unsubscribe"] = f"<{mail.stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(mail.text, charset="utf-8", cte="quoted-printable")
        return message

    # ------------------------------------------------------------ handing it over

    def send(self, mail: Mail) -> None:
        """Hand a mail over; raises one of the three above."""
        body = self.message(mail).as_bytes()
        try:
            line = self._connect()
        except (OSError, smtplib.SMTPException) as error:
            raise MailUnreached(type(error).__name__) from None
        try:
            self._announce(line, mail.to)
            self._hand_over(line, body)
        finally:
            line.close()

    def _connect(self) -> smtplib.SMTP:
        server, context = self._server, ssl.create_default_context()
        line: smtplib.SMTP
        if server.security == "tls":
            line = smtplib.SMTP_SSL(server.host, server.port, timeout=SECONDS, context=context)
        else:
            line = smtplib.SMTP(server.host, server.port, timeout=SECONDS)
        try:
            if server.security == "starttls":
                line.starttls(context=context)
            line.ehlo_or_helo_if_needed()
            if server.user:
                line.login(server.user, server.password)
        except BaseException:
            line.close()
            raise
        return line

    def _announce(self, line: smtplib.SMTP, to: str) -> None:
        """From whom and to whom; nothing is sent yet."""
        try:
            steps = (line.mail(parseaddr(self._sender)[1]), line.rcpt(to))
        except (OSError, smtplib.SMTPException) as error:
            raise MailUnreached(type(error).__name__) from None
        for code, _ in steps:
            if code >= 500:
                raise MailRefused(str(code))
            if code >= 300:
                raise MailUnreached(str(code))

    def _hand_over(self, line: smtplib.SMTP, body: bytes) -> None:
        try:
            code, _ = line.data(body)
        except smtplib.SMTPDataError as error:
            raise MailUnreached(str(error.smtp_code)) from None
        except (OSError, smtplib.SMTPException) as error:
            raise MailUnknown(type(error).__name__) from None
        if code >= 500:
            raise MailRefused(str(code))
        if code >= 300:
            raise MailUnreached(str(code))
