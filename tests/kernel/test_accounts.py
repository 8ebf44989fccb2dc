"""Logging in, in an app that has accounts, and needing none in one that has not."""

from collections.abc import Iterator
from datetime import datetime

import pytest
from pydantic import ValidationError

from servers.kernel import Account, App, Engine, Login, Owner, Rejected, State, World, log_in, log_out, signed_in

vault = App("vault", "Things behind a login.", tables=(Account, Login))
ADA = {"id": "A1", "username": "ada@lumen.example", "password": "s3cret", "name": "Ada"}
BO = {"id": "A2", "username": "bo@lumen.example", "password": "pass"}


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine()
    yield engine
    engine.close()


def opened(engine: Engine, *accounts: dict[str, str], owner: Owner | None = None) -> State:
    world = World("vault", datetime(2026, 3, 2), {"vault": {"accounts": accounts}}, owner=owner)
    return engine.layer(engine.load(world)).state(vault)


def test_the_address_and_the_zone_of_an_owner_are_empty_where_nothing_says_them(engine: Engine) -> None:
    nobody, lisbon = opened(engine), Owner(name="Ada", address="ada@lumen.example", zone="Europe/Lisbon")
    state = opened(engine, owner=lisbon)

    assert (state.address, state.zone) == ("ada@lumen.example", "Europe/Lisbon")
    assert (nobody.address, nobody.zone) == ("", "")


def test_an_app_without_accounts_wants_no_login(engine: Engine) -> None:
    assert signed_in(opened(engine)) is None


def test_with_accounts_somebody_has_to_log_in_first(engine: Engine) -> None:
    state = opened(engine, ADA, BO)
    with pytest.raises(Rejected, match="use `log_in`"):
        signed_in(state)

    log_in(state, "Ada@lumen.example", "s3cret")
    found = signed_in(state)
    assert found
    assert found.name == "Ada"


def test_who_logs_in_takes_the_place_of_who_was(engine: Engine) -> None:
    state = opened(engine, ADA, BO)
    log_in(state, "ada@lumen.example", "s3cret")
    log_in(state, "bo@lumen.example", "pass")

    assert [(login.id, login.username) for login in state.find(Login)] == [("L1", "bo@lumen.example")]


def test_two_cannot_be_logged_in_at_once(engine: Engine) -> None:
    state = opened(engine, ADA, BO)
    log_in(state, "ada@lumen.example", "s3cret")

    with pytest.raises(Rejected, match="There is already a login with the id 'L1'"):
        state.add(Login(username="bo@lumen.example"))
    with pytest.raises(ValidationError, match="Input should be 'L1'"):
        Login.from_json({"id": "L2", "username": "bo@lumen.example"})


def test_whose_account_is_gone_has_to_log_in_again(engine: Engine) -> None:
    state = opened(engine, ADA, BO)
    state.delete(log_in(state, "ada@lumen.example", "s3cret"))

    with pytest.raises(Rejected, match="use `log_in`"):
        signed_in(state)
    log_in(state, "bo@lumen.example", "pass")
    found = signed_in(state)
    assert found
    assert found.id == "A2"


@pytest.mark.parametrize(("username", "password"), [("ada@lumen.example", "pass"), ("nobody", "s3cret")])
def test_a_wrong_name_and_a_wrong_password_are_refused_alike(engine: Engine, username: str, password: str) -> None:
    state = opened(engine, ADA, BO)
    with pytest.raises(Rejected, match="No account has that username and password"):
        log_in(state, username, password)


def test_one_can_log_out_once(engine: Engine) -> None:
    state = opened(engine, ADA)
    log_in(state, "ada@lumen.example", "s3cret")
    log_out(state)

    with pytest.raises(Rejected, match="Nobody is logged in"):
        log_out(state)
