"""The HTTP interface: how I am called back to my tables."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from branchline.server import wire
from branchline.server.transport.guests_api import language
from branchline.server.transport.http import answer, body_of, documented, user_of
from branchline.server.transport.parts import address_of, bounds_of, calls_of, people_of

router = APIRouter(prefix="/api")

DeviceId = Annotated[str, Path(max_length=40, pattern="^[A-Za-z0-9_-]+$")]


@documented(router, "GET", "/me/calls", reply=wire.Calls, tag="guests")
async def my_calls(request: Request) -> Response:
    """How I am called back to my tables: what I want to be told, on which devices, and by mail."""
    return answer(await calls_of(request).told(await user_of(request)))


@documented(router, "POST", "/me/calls", reply=wire.Calls, body=wire.CallSettings, tag="guests")
async def change_calls(request: Request) -> Response:
    """Choose what I want to be told by push and by mail, and in which hours nothing at all."""
    user, settings = await user_of(request), await body_of(request, wire.CallSettings)
    await people_of(request).set_calls(user, settings, language(request))
    return answer(await calls_of(request).told(user))


@documented(router, "POST", "/me/devices", reply=wire.Calls, body=wire.NewDevice, tag="guests")
async def add_device(request: Request) -> Response:
    """Tell this browser, too: its subscription to a push service, at a public https address."""
    user, device = await user_of(request), await body_of(request, wire.NewDevice)
    bounds_of(request).device(user, address_of(request))
    await calls_of(request).add_device(user, device, language(request))
    return answer(await calls_of(request).told(user))


@documented(router, "DELETE", "/me/devices/{device}", reply=wire.Calls, tag="guests")
async def drop_device(request: Request, device: DeviceId) -> Response:
    """Tell this device no more."""
    user = await user_of(request)
    await calls_of(request).drop_device(user, device)
    return answer(await calls_of(request).told(user))


@documented(router, "POST", "/me/mail", reply=wire.Calls, body=wire.MailAddress, tag="guests")
async def ask_mail(request: Request) -> Response:
    """Give an address for mail: a link is sent to it, and nothing else before that is followed."""
    user, mail = await user_of(request), await body_of(request, wire.MailAddress)
    bounds_of(request).mail(user, address_of(request))
    await calls_of(request).ask_mail(user, mail.address, language(request))
    return answer(await calls_of(request).told(user))


@documented(router, "DELETE", "/me/mail", reply=wire.Calls, tag="guests")
async def drop_mail(request: Request) -> Response:
    """No more mail; the address is forgotten."""
    user = await user_of(request)
    await calls_of(request).drop_mail(user)
    return answer(await calls_of(request).told(user))
