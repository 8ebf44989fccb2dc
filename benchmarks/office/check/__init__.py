"""Do the rows of an office agree with its ledger and with each other? Texts are read back, not rendered again.

Each rule is a function over an `Office` that yields problems. None looks at a row more than a few times, so that
a large office takes longer in proportion to its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.office.check import files, ids, mails, meetings, others, sales, sense
from benchmarks.office.check.office import Office, Problem
from benchmarks.office.check.reading import amounts, days_in, parts
from benchmarks.office.ledger import Ledger
from servers.kernel import World

__all__ = ("Problem", "amounts", "check", "days_in", "parts", "problems")


def check(world: World, ledger: Ledger) -> list[Problem]:
    """All that does not agree. `world` has its dates as they are: made for its day, or loaded and read back."""
    return [*problems(world, ledger)]


def problems(world: World, ledger: Ledger) -> Iterator[Problem]:
    """The same one by one, for whoever looks for a certain one."""
    office = Office(world, ledger)
    return (problem for rule in _RULES for problem in rule(office))


_RULES: tuple[Callable[[Office], Iterator[Problem]], ...] = (
    mails.mails_are_those_of_the_ledger,
    mails.mails_say_what_is_so,
    mails.quotes_equal_the_earlier_mail,
    mails.mails_reach_whoever_answers_them,
    mails.answers_come_after,
    mails.conversations_hang_together,
    mails.letters_greet_and_sign_rightly,
    mails.nothing_is_sent_twice,
    mails.nobody_writes_while_away,
    mails.attachments_are_what_was_there,
    mails.files_that_are_named_are_there,
    mails.drafts_are_for_somebody,
    others.what_is_said_elsewhere_is_so,
    others.chat_stays_among_its_members,
    others.tasks_are_done_in_time,
    others.tasks_hang_together,
    others.notes_are_those_of_the_ledger,
    others.the_directory_has_who_is_there,
    files.files_say_what_is_so,
    files.files_lie_in_order,
    files.figures_agree,
    meetings.meetings_are_when_they_were_set,
    meetings.invitations_are_answered_by_whoever_could,
    meetings.rooms_hold_one_meeting,
    meetings.busy_times_are_of_colleagues,
    sales.deals_are_as_they_went,
    sales.contacts_are_of_their_companies,
    sense.words_fit_the_hour,
    sense.nobody_is_there_before_they_join,
    sense.nobody_writes_in_a_meeting_that_they_hold,
    sense.copies_go_to_somebody,
    sense.opinions_are_asked_for_once,
    sense.numbers_are_of_one_person,
    ids.ids_are_there,
)
