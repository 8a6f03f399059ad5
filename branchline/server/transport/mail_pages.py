"""Where the links in mails lead: small pages that need no script and may be opened anywhere, on any device."""

from __future__ import annotations

from html import escape
from typing import Annotated, Final

from fastapi import APIRouter, Path, Request, Response

from branchline.server.transport.guests_api import language
from branchline.server.transport.parts import calls_of
from branchline.server.words.notices import words

router = APIRouter(prefix="/api", include_in_schema=False)

# What is asked for there brings a secret along. A mail program asks by itself, from no page of ours; and a browser does
# not say that a page comes from us where it shows no address to other sites, or opens a mail's links apart.
FROM_ANYWHERE: Final = "/api/mail/"
Token = Annotated[str, Path(max_length=160, pattern="^[A-Za-z0-9_.-]+$")]
_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:18px/1.5 Georgia,serif;margin:0;padding:3rem 1rem;"
    "background:#fbf4e4;color:#2b2118}"
    "main{max-width:32rem;margin:auto}h1{font-size:1.6rem;line-height:1.2}p{overflow-wrap:anywhere}"
    "button{font:inherit;padding:.6rem 1.2rem;min-height:44px;border-radius:.5rem;border:1px solid #7a4a12;"
    "background:#8a5415;color:#fff;cursor:pointer}a{color:#8a5415}"
    "@media(prefers-color-scheme:dark){body{background:#191613;color:#efe6d8}a{color:#e0a860}}"
)


@router.get("/mail/confirm/{token}")
async def confirm_page(request: Request, token: Token) -> Response:
    """Asks; a program that only looks at links confirms nothing."""
    found = await calls_of(request).question(token)
    if found is None:
        return _page(language(request), "confirm_title", words(language(request))["bad_link"], status=404)
    address, lang = found
    say = words(lang)
    return _page(lang, "confirm_title", say["confirm_body"].format(address=address), button=say["confirm_button"])


@router.post("/mail/confirm/{token}")
async def confirm(request: Request, token: Token) -> Response:
    found = await calls_of(request).confirm(token)
    if found is None:
        return _page(language(request), "confirm_title", words(language(request))["bad_link"], status=404)
    address, lang = found
    return _page(lang, "confirm_title", words(lang)["confirmed"].format(address=address))


@router.get("/mail/stop/{token}")
async def stop_page(request: Request, token: Token) -> Response:
    lang = await calls_of(request).stop_lang(token) or language(request)
    return _page(lang, "stop_title", words(lang)["stop_body"], button=words(lang)["stop_button"])


@router.post("/mail/stop/{token}")
async def stop(request: Request, token: Token) -> Response:
    """Ends all mail: by the page's button, or at once by the reader's mail program (RFC 8058)."""
    lang = await calls_of(request).stop_lang(token) or language(request)
    if not await calls_of(request).stop(token):
        return _page(lang, "stop_title", words(lang)["old_link"], status=404)
    return _page(lang, "stop_title", words(lang)["stopped"])


def _page(lang: str, title: str, text: str, *, button: str = "", status: int = 200) -> Response:
    """A small page that needs no script: it may be opened anywhere, on any device."""
    say = words(lang)
    form = f"<form method='post'><button>{escape(button)}</button></form>" if button else ""
    body = (
        f"<!doctype html><html lang='{escape(lang)}'><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'><meta name='robots' content='noindex'>"
        "<link rel='icon' href='/favicon.svg'>"
        f"<title>{escape(say[title])}</title><style>{_STYLE}</style>"
        f"<main><h1>{escape(say[title])}</h1><p>{escape(text)}</p>{form}"
        f"<p><a href='/'>{escape(say['home'])}</a></p></main></html>"
    )
    headers = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
    return Response(body, status, media_type="text/html; charset=utf-8", headers=headers)
