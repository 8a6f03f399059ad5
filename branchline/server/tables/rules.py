"""The rules of a table: a state and a command in; the new state, what to write and what to tell out. Nothing else:
no time but the one given, no disk, no socket. What is refused raises `BadRequest`, and nothing has changed."""

from __future__ import annotations

from typing import assert_never

from branchline.server.tables import away, commands, making, nudges, plans, play, seating, talk, votes
from branchline.server.tables.calling import called
from branchline.server.tables.outcome import Facts, Outcome
from branchline.server.tables.state import Playing, Table


def decide(table: Table, command: commands.Any, facts: Facts) -> Outcome:
    """What comes of a command; the plans of people with it, and who is to be called back because of it."""
    return called(table, plans.kept(table, _decided(table, command, facts)), facts)


def _decided(table: Table, command: commands.Any, facts: Facts) -> Outcome:
    match command:
        case commands.Move():
            return plans.followed(plans.by_hand(table, command, play.move(table, command, facts)), facts)
        case commands.BotMove():
            return plans.followed(play.bot_move(table, command, facts), facts)
        case commands.SetPlan():
            return plans.set_plan(table, command, facts)
        case commands.Undo():
            return play.undo(table, command, facts)
        case commands.End():
            return play.end(table, command, facts)
        case commands.Sit():
            return seating.sit(table, command, facts)
        case commands.Leave():
            return _leave(table, command, facts)
        case commands.SetChair():
            return seating.set_chair(table, command, facts)
        case commands.ChooseColour():
            return seating.choose_colour(table, command, facts)
        case commands.Remove():
            return seating.remove(table, command, facts)
        case commands.Renamed():
            return seating.renamed(table, command)
        case commands.Start():
            return making.start(table, command, facts)
        case commands.Rematch():
            return making.rematch(table, command, facts)
        case commands.AskBack():
            return votes.ask_back(table, command, facts)
        case commands.AskPause():
            return votes.ask_pause(table, command, facts)
        case commands.AskBot():
            return votes.ask_bot(table, command, facts)
        case commands.Answer():
            return votes.answer(table, command, facts)
        case commands.Resume():
            return votes.resume(table, command, facts)
        case commands.Come():
            return away.come(table, command, facts)
        case commands.TakeSeat():
            return away.take_seat(table, command, facts)
        case commands.Gone():
            return votes.gone(table, command, facts)
        case commands.Nudge():
            return nudges.nudge(table, command, facts)
        case commands.TimeOut():
            return away.time_out(table, facts)
        case commands.Close():
            return away.close(table, facts)
        case commands.Say():
            return talk.say(table, command, facts)
        case commands.Report():
            return talk.report(table, command, facts)
        case _:
            assert_never(command)


def _leave(table: Table, command: commands.Leave, facts: Facts) -> Outcome:
    return away.leave(table, command, facts) if isinstance(table, Playing) else seating.leave(table, command, facts)
