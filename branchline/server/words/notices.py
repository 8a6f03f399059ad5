"""What a notice, a mail and the pages its links lead to say, in every language. A name stands after a colon."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from branchline.words import map_name

Words = dict[str, str]

_EN: Final[Words] = {
    "turn": "Your turn",
    "friend": "At your table: {name}",
    "over": "The game is over",
    "nudge": "Waiting for your move: {name}",
    "where": "{map}, with {names}",
    "open": "Open the table:",
    "because": "You get this mail because you asked Branchline at {origin} to tell you.",
    "change": "Choose what you are told:",
    "end": "No more mail, at once:",
    "ask_subject": "Branchline: is this your address?",
    "ask": "Somebody asked Branchline at {origin} to send notices about their games to this address.",
    "ask_yes": "If it was you, confirm it within a day:",
    "ask_no": "If it was not, do nothing: nothing more is sent here.",
    "confirm_title": "Mail from Branchline",
    "confirm_body": "Shall notices about your games go to {address}?",
    "confirm_button": "Yes, send them",
    "confirmed": "Done. Notices about your games go to {address}. What they tell, you choose in the settings.",
    "stop_title": "No more mail",
    "stop_body": "Shall Branchline send you no more mail?",
    "stop_button": "No more mail",
    "stopped": "Done. Branchline sends you no more mail.",
    "old_link": "This link is not good any more: use the one of the newest mail, or end the mail in the settings.",
    "bad_link": "This link was used already, or is older than a day. You can ask for a new one in the settings.",
    "home": "To Branchline",
}

_RO: Final[Words] = {
    "turn": "E rândul tău",
    "friend": "La masa ta: {name}",
    "over": "Jocul s-a terminat",
    "nudge": "Îți așteaptă mutarea: {name}",
    "where": "{map}, cu {names}",
    "open": "Deschide masa:",
    "because": "Primești acest mesaj pentru că ai cerut notificări de la Branchline, la {origin}.",
    "change": "Alege ce vrei să afli:",
    "end": "Oprește mesajele, pe loc:",
    "ask_subject": "Branchline: e adresa ta?",
    "ask": "Cineva a cerut la Branchline, pe {origin}, ca notificările despre jocurile sale să vină la această adresă.",
    "ask_yes": "Dacă ai fost tu, confirmă în cel mult o zi:",
    "ask_no": "Dacă nu, nu trebuie să faci nimic: aici nu mai trimitem nimic.",
    "confirm_title": "Mesaje de la Branchline",
    "confirm_body": "Vrei notificările despre jocurile tale la {address}?",
    "confirm_button": "Da, la această adresă",
    "confirmed": "Gata. De acum, notificările despre jocurile tale vin la {address}. Ce vrei să afli alegi în setări.",
    "stop_title": "Fără mesaje",
    "stop_body": "Vrei să nu mai primești mesaje de la Branchline?",
    "stop_button": "Oprește mesajele",
    "stopped": "Gata. Branchline nu-ți mai trimite mesaje.",
    "old_link": "Linkul nu mai e valabil: folosește-l pe cel din ultimul e-mail sau oprește e-mailurile din setări.",
    "bad_link": "Linkul a fost deja folosit sau e mai vechi de o zi. Poți cere altul în setări.",
    "home": "La Branchline",
}

_PT_PT: Final[Words] = {
    "turn": "É a tua vez",
    "friend": "À tua mesa: {name}",
    "over": "A partida acabou",
    "nudge": "À espera da tua jogada: {name}",
    "where": "{map}, com {names}",
    "open": "Abre a mesa:",
    "because": "Recebes este e-mail porque pediste avisos ao Branchline, em {origin}.",
    "change": "Escolhe o que queres saber:",
    "end": "Não receber mais e-mails, já:",
    "ask_subject": "Branchline: este endereço é teu?",
    "ask": "Alguém pediu ao Branchline, em {origin}, que enviasse para este endereço os avisos das suas partidas.",
    "ask_yes": "Se foste tu, confirma no prazo de um dia:",
    "ask_no": "Se não, não faças nada: não enviaremos mais nada para aqui.",
    "confirm_title": "E-mail do Branchline",
    "confirm_body": "Os avisos das tuas partidas devem seguir para {address}?",
    "confirm_button": "Sim, enviar",
    "confirmed": "Feito. Os avisos das tuas partidas seguem para {address}. Escolhe quais nas definições.",
    "stop_title": "Sem mais e-mails",
    "stop_body": "Queres deixar de receber e-mails do Branchline?",
    "stop_button": "Não enviar mais",
    "stopped": "Feito. O Branchline não te envia mais e-mails.",
    "old_link": "Este link já não é válido: usa o do e-mail mais recente, ou desliga os e-mails nas definições.",
    "bad_link": "Este link já foi usado ou tem mais de um dia. Podes pedir outro nas definições.",
    "home": "Ir para o Branchline",
}

_PT_BR: Final[Words] = {
    "turn": "É a sua vez",
    "friend": "Na sua mesa: {name}",
    "over": "A partida acabou",
    "nudge": "Esperando a sua jogada: {name}",
    "where": "{map}, com {names}",
    "open": "Abra a mesa:",
    "because": "Você recebe este e-mail porque pediu avisos ao Branchline, em {origin}.",
    "change": "Escolha o que quer saber:",
    "end": "Não receber mais e-mails, já:",
    "ask_subject": "Branchline: este endereço é seu?",
    "ask": "Alguém pediu ao Branchline, em {origin}, que enviasse para este endereço os avisos das suas partidas.",
    "ask_yes": "Se foi você, confirme em até um dia:",
    "ask_no": "Se não foi, não faça nada: não enviaremos mais nada para cá.",
    "confirm_title": "E-mail do Branchline",
    "confirm_body": "Os avisos das suas partidas devem ir para {address}?",
    "confirm_button": "Sim, enviar",
    "confirmed": "Pronto. Os avisos das suas partidas vão para {address}. Escolha quais nas configurações.",
    "stop_title": "Sem mais e-mails",
    "stop_body": "Quer deixar de receber e-mails do Branchline?",
    "stop_button": "Não enviar mais",
    "stopped": "Pronto. O Branchline não envia mais e-mails para você.",
    "old_link": "Este link não vale mais: use o do e-mail mais recente ou desligue os e-mails nas configurações.",
    "bad_link": "Este link já foi usado ou tem mais de um dia. Você pode pedir outro nas configurações.",
    "home": "Ir para o Branchline",
}

WORDS: Final[dict[str, Words]] = {"en": _EN, "ro": _RO, "pt-PT": _PT_PT, "pt-BR": _PT_BR}
MOST_NAMES: Final = 5
_DOT: Final = re.compile(r"(?<=\w)[.\u3002\uff0e\uff61](?=\w)")  # those that browsers read as a dot of an address
_SLASHES: Final = re.compile(r"(?:://|[/\\\u2044\u2215\uff0f]|(?<=\w)@(?=\w))+")


def words(lang: str) -> Words:
    return WORDS.get(lang, _EN)


def told(lang: str, kind: str, by: str) -> str:
    """What has happened, in a line."""
    return words(lang)[kind].format(name=defused(by)).removesuffix(": ")


def where(lang: str, map: str, names: Sequence[str]) -> str:
    """The table it has happened at: its map and the others there."""
    name, others = map_name(map, lang), ", ".join(defused(each) for each in names[:MOST_NAMES])
    return words(lang)["where"].format(map=name, names=others) if others else name


def defused(name: str) -> str:
    """A name that no program which shows a message makes a link of: a stranger has chosen it."""
    return " ".join(_DOT.sub(". ", _SLASHES.sub(" ", name)).split()) or (name and "?")
