"""People by whatever a person would call them."""

import pytest

from servers.kernel import Nobody, Person, Rejected, Several, addressee, somebody

HANA = Person("Hana Kubota", "hana.kubota@lumen.example")
HANNAH = Person("Hannah Orr", "h.orr@lumen.example")
MINH = Person("Minh Tran", "minh.tran@lumen.example")
PEOPLE = (HANA, HANNAH, MINH)


@pytest.mark.parametrize(
    "text",
    ["minh.tran@lumen.example", "MINH.TRAN@LUMEN.EXAMPLE", "Minh Tran", "minh tran", "minh", "Tran", "tran, minh",
     "Minh Tran <minh.tran@lumen.example>", "minh.t"],
)  # fmt: skip
def test_whoever_is_meant_is_found(text: str) -> None:
    assert somebody(text, PEOPLE, "to") == MINH


def test_a_whole_name_goes_before_the_beginning_of_another() -> None:
    ann, anna = Person("Ann", "ann@lumen.example"), Person("Anna", "anna@lumen.example")

    assert somebody("ann", (ann, anna), "to") == ann


def test_a_name_that_several_have_is_refused_with_the_candidates() -> None:
    with pytest.raises(Several) as caught:
        somebody("han", PEOPLE, "to")

    assert [each.name for each in caught.value.candidates] == ["Hana Kubota", "Hannah Orr"]
    assert str(caught.value) == (
        "to: 'han' may be Hana Kubota <hana.kubota@lumen.example>, Hannah Orr <h.orr@lumen.example>; say which, best "
        "by the address."
    )


@pytest.mark.parametrize("text", ["Bjorn", "", "  ", "@"])
def test_nobody_is_named(text: str) -> None:
    with pytest.raises(Nobody, match=r"to: .* is nobody known here; give an e-mail address") as caught:
        somebody(text, PEOPLE, "to")

    assert (caught.value.argument, caught.value.text) == ("to", text)


@pytest.mark.parametrize("text", ["stranger@lumen.example", "A Stranger <stranger@lumen.example>"])
def test_whoever_gave_an_address_is_not_asked_for_one(text: str) -> None:
    with pytest.raises(Nobody) as caught:
        somebody(text, PEOPLE, "to")

    assert str(caught.value) == (
        "to: nobody known here has the address 'stranger@lumen.example'; give one that is known, or a name as it is "
        "shown."
    )


def test_one_may_write_to_a_stranger_by_the_address() -> None:
    assert addressee("Ada@Else.example", PEOPLE, "to") == Person("", "ada@else.example")
    assert addressee("Ada Orr <ada@else.example>", PEOPLE, "to") == Person("Ada Orr", "ada@else.example")
    assert addressee("hana", PEOPLE, "to") == HANA


def test_a_stranger_without_an_address_is_refused() -> None:
    with pytest.raises(Rejected, match="cc: 'ada' is nobody known here"):
        addressee("ada", PEOPLE, "cc")


@pytest.mark.parametrize("text", ["Jos\u00e9", "JOSE\u0301 RUIZ"])
def test_a_name_is_known_however_its_accents_are_encoded(text: str) -> None:
    people = [Person(name, "ruiz@x.example") for name in ("Jose\u0301 Ruiz", "Jos\u00e9 Ruiz")]

    assert [somebody(text, [person], "to") for person in people] == people


def test_what_nobody_is_called_is_not_repeated_at_any_length() -> None:
    with pytest.raises(Nobody, match=rf"^to: '{'x' * 200} \[\.\.\. 4,800 more characters\]' is nobody known here"):
        somebody("x" * 5_000, PEOPLE, "to")
