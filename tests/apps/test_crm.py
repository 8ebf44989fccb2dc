from collections.abc import Iterator
from typing import Any

import pytest

from servers.crm import Customer, app
from tests.apps.desk import Desk, desk


def customer(number: int, name: str, **values: Any) -> dict[str, Any]:
    return {
        "id": f"{number:08d}",
        "assigned_to_email": "mei@harbor.example",
        "customer_name": name,
        "customer_email": f"{name.split()[0].lower()}@quarry",
        "customer_phone": None,
        "last_contact_date": "2023-11-10",
        "product_interest": "Software",
        "status": "Lead",
        "follow_up_by": "2023-12-10",
        "notes": None,
        **values,
    }


CUSTOMERS = [
    customer(4, "Ada Ferrand", last_contact_date="2023-11-30"),
    customer(1, "Bruno Castel", status="Won", product_interest="Hardware", follow_up_by=None),
    customer(2, "Adam Osei", assigned_to_email="tariq@harbor.example", last_contact_date=None, customer_email=None),
]


@pytest.fixture
def crm() -> Iterator[Desk]:
    with desk(app, {"customers": CUSTOMERS}) as calls:
        yield calls


def found(crm: Desk, **arguments: object) -> list[str]:
    return [record["customer_id"].lstrip("0") for record in crm("search_customers", **arguments)]


def test_a_customer_is_shown_whole_with_null_for_what_is_unknown(crm: Desk) -> None:
    assert crm("search_customers", customer_name="bruno") == [
        {
            "customer_id": "00000001",
            "assigned_to_email": "mei@harbor.example",
            "customer_name": "Bruno Castel",
            "customer_email": "bruno@quarry",
            "customer_phone": None,
            "last_contact_date": "2023-11-10",
            "product_interest": "Hardware",
            "status": "Won",
            "follow_up_by": None,
            "notes": None,
        }
    ]


def test_a_search_needs_one_condition(crm: Desk) -> None:
    assert "at least one" in crm.refusal("search_customers")
    assert "at least one" in crm.refusal("search_customers", customer_name="", status=None)


def test_conditions_are_parts_regardless_of_case_and_hold_together(crm: Desk) -> None:
    assert found(crm, customer_name="ADA") == ["4", "2"]
    assert found(crm, customer_name="ada", assigned_to_email="TARIQ") == ["2"]
    assert found(crm, status="lead", product_interest="soft") == ["4", "2"]
    assert found(crm, customer_email="@quarry") == ["4", "1"]
    assert found(crm, customer_name="nobody") == []


@pytest.mark.parametrize("text", ["A.a", "%", "(", "ada|bruno"])
def test_a_condition_is_literal_text(crm: Desk, text: str) -> None:
    assert found(crm, customer_name=text) == []


def test_dates_bound_a_search_inclusively_and_none_is_out_of_bounds(crm: Desk) -> None:
    assert found(crm, last_contact_date_min="2023-11-10") == ["4", "1"]
    assert found(crm, last_contact_date_max="2023-11-10") == ["1"]
    assert found(crm, follow_up_by_min="2023-12-10", follow_up_by_max="2023-12-10") == ["4", "2"]


def test_a_search_gives_the_first_five_in_table_order() -> None:
    many = [customer(20 - number, "Ada Ferrand") for number in range(8)]

    with desk(app, {"customers": many}) as crm:
        assert found(crm, status="Lead") == ["20", "19", "18", "17", "16"]


def test_a_new_customer_needs_name_colleague_and_status_alone(crm: Desk) -> None:
    id = crm("add_customer", customer_name="Di Ng", assigned_to_email="Mei@Harbor.example", status="Lead")

    assert id == "00000005"
    assert crm.layer.state(app).get(Customer, id) == Customer(
        id=id,
        assigned_to_email="mei@harbor.example",
        customer_name="Di Ng",
        customer_email=None,
        customer_phone=None,
        last_contact_date=None,
        product_interest=None,
        status="Lead",
        follow_up_by=None,
        notes="",
    )
    assert "status" in crm.refusal("add_customer", customer_name="Di", assigned_to_email="mei", status="")
    assert "'status' is required" in crm.refusal("add_customer", customer_name="Di", assigned_to_email="mei")


def test_an_optional_field_that_is_empty_or_null_is_not_given(crm: Desk) -> None:
    plain = {"customer_name": "Di", "assigned_to_email": "mei", "status": "Lead"}
    id = crm("add_customer", **plain, customer_email="", customer_phone=None, notes=None)

    row = crm.layer.state(app).get(Customer, id)
    assert (row.customer_email, row.customer_phone, row.notes) == (None, None, "")


def test_status_and_product_are_not_checked_when_adding(crm: Desk) -> None:
    id = crm("add_customer", customer_name="Di", assigned_to_email="mei", status="Maybe", product_interest="Boats")

    row = crm.layer.state(app).get(Customer, id)
    assert (row.status, row.product_interest) == ("Maybe", "Boats")


def test_addresses_of_a_new_customer_are_lower_cased(crm: Desk) -> None:
    id = crm("add_customer", customer_name="Di", assigned_to_email="MEI", status="Lead", customer_email="Di@Quarry")

    row = crm.layer.state(app).get(Customer, id)
    assert (row.assigned_to_email, row.customer_email) == ("mei", "di@quarry")


def test_an_update_changes_one_field_and_replaces_notes(crm: Desk) -> None:
    crm("update_customer", customer_id="00000001", field="notes", new_value="Called.")
    crm("update_customer", customer_id="00000001", field="notes", new_value="Called AGAIN.")

    (change,) = crm.layer.changes()
    assert (change.id, change.fields) == ("00000001", {"notes": "Called AGAIN."})


@pytest.mark.parametrize("field", ["customer_email", "assigned_to_email"])
def test_an_updated_address_is_lower_cased(crm: Desk, field: str) -> None:
    crm("update_customer", customer_id="00000001", field=field, new_value="New@Harbor.example")

    assert crm.layer.changes()[0].fields == {field: "new@harbor.example"}


@pytest.mark.parametrize(
    ("field", "wrong", "choice"),
    [("status", "won", "Qualified"), ("status", "Maybe", "Proposal"), ("product_interest", "boats", "Training")],
)
def test_status_and_product_are_checked_when_changing(crm: Desk, field: str, wrong: str, choice: str) -> None:
    refusal = crm.refusal("update_customer", customer_id="00000001", field=field, new_value=wrong)

    assert repr(wrong) in refusal
    assert choice in refusal


@pytest.mark.parametrize("field", ["customer_id", "id", "address"])
def test_an_update_refuses_ids_and_unknown_fields(crm: Desk, field: str) -> None:
    refusal = crm.refusal("update_customer", customer_id="00000001", field=field, new_value="x")

    assert "'follow_up_by'" in refusal


def test_a_value_is_checked_before_the_customer_is_looked_up(crm: Desk) -> None:
    assert "Qualified" in crm.refusal("update_customer", customer_id="nope", field="status", new_value="Maybe")
    assert "'nope'" in crm.refusal("update_customer", customer_id="nope", field="status", new_value="Won")


def test_a_deleted_customer_is_gone_and_its_id_does_not_come_back(crm: Desk) -> None:
    crm("delete_customer", customer_id="00000004")

    assert found(crm, customer_name="ada") == ["2"]
    assert "'00000004'" in crm.refusal("delete_customer", customer_id="00000004")
    assert crm("add_customer", customer_name="Di", assigned_to_email="mei", status="Lead") == "00000005"
