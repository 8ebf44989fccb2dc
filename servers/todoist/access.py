"""Who asks, and what of all rows is theirs to see."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from servers.kernel import Nobody, NotFound, Person, Rejected, State, addressee, each_of, quoted, signed_in, somebody
from servers.todoist.tables import Colleague, Comment, Label, Notification, Project, Section, Task

__all__ = ("INBOX", "Me", "logged_in", "owner")

INBOX = "inbox"
"""The id of the project that tasks without one are in. It has no row."""


@dataclass(frozen=True)
class Me:
    """Whoever asks, by address; None where nothing says, and then all rows are theirs."""

    state: State
    address: str | None
    sharing: str = ""
    """The tool that shares a project, in words; "" where none does."""

    def am(self, who: str | None) -> bool:
        """Whether a row that names `who` is mine."""
        return who is None or self.address is None or who.casefold() == self.address.casefold()

    def own(self, column: str) -> tuple[str, list[Any]]:
        """The same as a condition in SQL, and its parameters."""
        if self.address is None:
            return "true", []
        return f"({column} IS NULL OR lower({column}) = lower(?))", [self.address]

    def sees(self, project: Project) -> bool:
        """Whether the project is mine or shared with me."""
        return self.am(project.owner) or any(map(self.am, project.members))

    def seen(self) -> tuple[str, list[Any]]:
        """The same as a condition on `projects` in SQL, and its parameters."""
        own, params = self.own("owner")
        if self.address is None:
            return own, params
        quoted = json.dumps(self.address, ensure_ascii=False)
        return f"({own} OR contains(lower(members), lower(?)))", [*params, quoted]

    def project(self, id: str, *, open: bool = False) -> Project:
        """Raises `NotFound`, for what I do not see as well, and `Rejected` for the Inbox, which is none.

        An archived one is refused where it has to be open.
        """
        try:
            found = self.state.get(Project, id)
        except NotFound:
            if id.lower() != INBOX:
                raise
            raise Rejected(
                "The Inbox cannot be renamed, shared, archived or deleted, and has no sections; it holds the tasks "
                "without a project."
            ) from None
        if not self.sees(found):
            raise NotFound(Project.noun, id)
        if open and found.archived:
            raise Rejected(f"Project {id} is archived; take it out of the archive first.")
        return found

    def section(self, id: str, project_id: str | None = None, *, argument: str = "section_id") -> Section:
        """Raises `NotFound`, for what I do not see as well, and `Rejected` where it is not in the project given."""
        found = self.state.get(Section, id)
        if not self.sees(self.state.get(Project, found.project_id)):
            raise NotFound(Section.noun, id)
        if project_id is not None and found.project_id != project_id:
            raise Rejected(f"{argument}: section {id} is in project {found.project_id}, not {project_id}.")
        return found

    def task(self, id: str) -> Task:
        """Raises `NotFound`, for what I do not see as well."""
        found = self.state.get(Task, id)
        if found.project_id is not None and not self.sees(self.state.get(Project, found.project_id)):
            raise NotFound(Task.noun, id)
        return found

    def tasks(self, ids: Sequence[str]) -> list[Task]:
        """Each once, in the order given. Raises `NotFound` for one, `Rejected` naming all that are not there."""
        return each_of(ids, self.task, Task.noun, "task_ids")

    def comment(self, id: str) -> Comment:
        """Raises `NotFound`, for what I do not see as well."""
        found = self.state.get(Comment, id)
        try:
            self.task(found.task_id)
        except NotFound:
            raise NotFound(Comment.noun, id) from None
        return found

    def own_comment(self, id: str) -> Comment:
        """As `comment`. Raises `Rejected` for somebody else's."""
        found = self.comment(id)
        if not self.am(found.author):
            raise Rejected(f"Comment {id} is by {found.author}; only who wrote a comment may change or delete it.")
        return found

    def label(self, id: str) -> Label:
        """Raises `NotFound`, for other people's as well."""
        found = self.state.get(Label, id)
        if not self.am(found.owner):
            raise NotFound(Label.noun, id)
        return found

    def notification(self, id: str) -> Notification:
        """Raises `NotFound`, for other people's as well."""
        found = self.state.get(Notification, id)
        if not self.am(found.recipient):
            raise NotFound(Notification.noun, id)
        return found

    # People.

    def known(self) -> list[Person]:
        """Everybody there is: me, those with whom a project is shared, and those with whom one can be."""
        seen, params = self.seen()
        shared = [address for row in self.state.find(Project, seen, params) for address in (row.owner, *row.members)]
        people = [Person("", address) for address in shared if address]
        people += [Person(row.name, row.email) for row in self.state.find(Colleague)]
        mine = self.state.owner
        return [*people, Person(mine.name, mine.address)] if mine else people

    def within(self, project: Project | None) -> list[Person]:
        """Those who may be given a task of a project: who has it, and with whom it is shared. None is the Inbox."""
        names = {person.address.casefold(): person for person in self.known()}
        owner = self.address if project is None or project.owner is None else project.owner
        addresses = [*([owner] if owner else []), *(project.members if project else [])]
        return [names.get(address.casefold(), Person("", address)) for address in addresses]

    def person(self, argument: str) -> Person:
        """Me, as "me" means. Raises `Rejected` where nothing says who that is."""
        if self.address is None:
            raise Rejected(f"{argument}: nothing says who 'me' is here; give a name or an e-mail address.")
        return Person("", self.address)

    def responsible(self, text: str, project: Project | None) -> str:
        """The address of whom a text means, if they may be given a task of the project. Raises `Rejected`."""
        return self._part_of(project, text, "assignee", share=True)

    def member(self, text: str, project: Project) -> str:
        """As `responsible`, of somebody who is to have a part in the project no longer."""
        return self._part_of(project, text, "remove_people")

    def _part_of(self, project: Project | None, text: str, argument: str, *, share: bool = False) -> str:
        among = self.within(project)
        who: Person | str
        if text.strip().casefold() == "me":
            who = self.person(argument)
        else:
            # Somebody of the project where one fits, however many others do; else whoever it is, to be refused by name.
            try:
                who = somebody(text, among, argument)
            except Nobody:
                who = self._elsewhere(text, argument)
        for person in among:
            if isinstance(who, Person) and person.address.casefold() == who.address.casefold():
                return person.address
        if project is None:
            sharing = f" ({self.sharing})" if self.sharing else "; `view_projects` shows who is in which"
            raise Rejected(
                f"{argument}: {who} cannot have a task in the Inbox, which is shared with nobody. Put the task in a "
                f"project that is shared with {who} first{sharing}."
            )
        others = ", ".join(map(str, among)) or "nobody"
        advice = ""
        if share:
            advice = (
                f" Share the project with {who} first ({self.sharing})."
                if self.sharing
                else " Assign it to one of them, or move it to a project that the assignee is in; `view_projects` "
                "shows who is in which."
            )
        raise Rejected(
            f"{argument}: {who} is not in project {project.id} ({project.name}); in it are {others}.{advice}"
        )

    def _elsewhere(self, text: str, argument: str) -> Person | str:
        """Whom a text means; the text itself where that is nobody here, who may still be known in mail."""
        try:
            return somebody(text, self.known(), argument)
        except Nobody:
            return quoted(text)

    def guests(self, texts: Sequence[str], argument: str) -> list[str]:
        """Addresses of people to share with; anybody with an address will do. Raises `Rejected`.

        "me" adds nobody: whoever shares a project is in it.
        """
        people = self.known()
        return [addressee(text, people, argument).address for text in texts if text.strip().casefold() != "me"]


def owner(state: State) -> Me:
    """The owner of the workplace."""
    return Me(state, _own(state), "`update_project` with add_people")


def logged_in(state: State) -> Me:
    """Whoever is logged in; without accounts, the owner. Raises `Rejected` if somebody has to log in first."""
    account = signed_in(state)
    return Me(state, account.username if account else _own(state))


def _own(state: State) -> str | None:
    return state.address or None
