"""Services of shops and those who buy there: customers, catalog, orders, parcels, payments."""

from __future__ import annotations

from servers.apis.endpoint import Body, Count, Day, Id, Refused, Service, found, shown
from servers.apis.tables import (
    Carrier,
    Channel,
    Customer,
    District,
    Invoice,
    InvoiceStatus,
    Method,
    Order,
    OrderStatus,
    Parcel,
    ParcelStatus,
    Payment,
    Point,
    Product,
    Shop,
)
from servers.kernel import State

__all__ = ("SERVICES", "buyer")

customers = Service("customers")


def buyer(state: State, customer_id: str) -> Customer:
    """The customer. Raises `Refused` where the account is closed."""
    customer = state.get(Customer, customer_id)
    if customer.status == "closed":
        raise Refused(409, f"The account of customer {customer_id} is closed.")
    return customer


@customers.reads
def find_customers(state: State, name: Id | None = None, district: District | None = None) -> Body:
    return found(state, Customer, "name district", name=name, district=district)


@customers.reads
def get_customer(state: State, customer_id: Id) -> Body:
    return shown(state.get(Customer, customer_id))


@customers.writes
def create_customer(state: State, name: Id, email: Id, street: Id, district: District) -> Body:
    if any(row.email.casefold() == email.casefold() for row in state.find(Customer)):
        raise Refused(409, f"email: {email} has an account already.")
    return shown(state.add(Customer(name=name, email=email, street=street, district=district)))


@customers.writes
def move_customer(state: State, customer_id: Id, street: Id, district: District) -> Body:
    moved = buyer(state, customer_id).model_copy(update={"street": street, "district": district})
    return shown(state.save(moved))


@customers.writes
def set_contact(state: State, customer_id: Id, channel: Channel) -> Body:
    customer = buyer(state, customer_id)
    if customer.contact == channel:
        raise Refused(409, f"Customer {customer_id} is reached by {channel} already.")
    return shown(state.save(customer.model_copy(update={"contact": channel})))


@customers.writes(irreversible=True)
def close_account(state: State, customer_id: Id) -> Body:
    customer = buyer(state, customer_id)
    if any(row.status in ("open", "on hold") for row in state.find(Order, "customer_id = ?", [customer_id])):
        raise Refused(422, f"Customer {customer_id} has orders that are not done with.")
    return shown(state.save(customer.model_copy(update={"status": "closed"})))


catalog = Service("catalog")


def _offered(state: State, product_id: str) -> Product:
    product = state.get(Product, product_id)
    if product.status == "withdrawn":
        raise Refused(409, f"Product {product_id} is withdrawn.")
    return product


@catalog.reads
def find_shops(state: State, name: Id | None = None, district: District | None = None) -> Body:
    return found(state, Shop, name=name, district=district)


@catalog.reads
def find_products(state: State, name: Id | None = None, category: Id | None = None, shop_id: Id | None = None) -> Body:
    return found(state, Product, "name category shop_id price", name=name, category=category, shop_id=shop_id)


@catalog.reads
def get_product(state: State, product_id: Id) -> Body:
    return shown(state.get(Product, product_id))


@catalog.writes
def set_price(state: State, product_id: Id, price: Count) -> Body:
    product = _offered(state, product_id)
    if product.price == price:
        raise Refused(409, f"Product {product_id} costs {price} already.")
    return shown(state.save(product.model_copy(update={"price": price})))


@catalog.writes
def restock(state: State, product_id: Id, pieces: Count) -> Body:
    product = _offered(state, product_id)
    return shown(state.save(product.model_copy(update={"stock": product.stock + pieces})))


@catalog.writes(irreversible=True)
def withdraw_product(state: State, product_id: Id) -> Body:
    return shown(state.save(_offered(state, product_id).model_copy(update={"status": "withdrawn"})))


orders = Service("orders")


def _waiting(state: State, order_id: str) -> Order:
    order = state.get(Order, order_id)
    if order.status not in ("open", "on hold"):
        raise Refused(409, f"Order {order_id} is {order.status} and cannot be changed any more.")
    return order


def _taken(product: Product, pieces: int) -> Product:
    """The product with so many pieces less, or more where the number is negative."""
    if pieces > product.stock:
        raise Refused(422, f"quantity: of product {product.id} there are {product.stock} left.")
    return product.model_copy(update={"stock": product.stock - pieces})


@orders.reads
def find_orders(
    state: State, customer_id: Id | None = None, product_id: Id | None = None, status: OrderStatus | None = None
) -> Body:
    wanted = {"customer_id": customer_id, "product_id": product_id, "status": status}
    return found(state, Order, "customer_id product_id status", **wanted)


@orders.reads
def get_order(state: State, order_id: Id) -> Body:
    return shown(state.get(Order, order_id))


@orders.writes
def place_order(state: State, customer_id: Id, product_id: Id, quantity: Count) -> Body:
    customer, product = buyer(state, customer_id), _offered(state, product_id)
    state.save(_taken(product, quantity))
    placed = state.now.date()
    return shown(state.add(Order(customer_id=customer.id, product_id=product.id, quantity=quantity, placed=placed)))


@orders.writes
def change_quantity(state: State, order_id: Id, quantity: Count) -> Body:
    order = _waiting(state, order_id)
    if order.quantity == quantity:
        raise Refused(409, f"Order {order_id} is for {quantity} already.")
    state.save(_taken(state.get(Product, order.product_id), quantity - order.quantity))
    return shown(state.save(order.model_copy(update={"quantity": quantity})))


@orders.writes
def hold_order(state: State, order_id: Id) -> Body:
    order = _waiting(state, order_id)
    if order.status == "on hold":
        raise Refused(409, f"Order {order_id} is on hold already.")
    return shown(state.save(order.model_copy(update={"status": "on hold"})))


@orders.writes(irreversible=True)
def cancel_order(state: State, order_id: Id) -> Body:
    order = _waiting(state, order_id)
    state.save(_taken(state.get(Product, order.product_id), -order.quantity))
    return shown(state.save(order.model_copy(update={"status": "cancelled"})))


parcels = Service("parcels")


def _under_way(state: State, parcel_id: str) -> Parcel:
    parcel = state.get(Parcel, parcel_id)
    if parcel.status != "in transit":
        raise Refused(409, f"Parcel {parcel_id} is {parcel.status} already.")
    return parcel


@parcels.reads
def find_parcels(
    state: State, order_id: Id | None = None, carrier_id: Id | None = None, status: ParcelStatus | None = None
) -> Body:
    wanted = {"order_id": order_id, "carrier_id": carrier_id, "status": status}
    return found(state, Parcel, "order_id carrier_id status", **wanted)


@parcels.reads
def track_parcel(state: State, parcel_id: Id) -> Body:
    return shown(state.get(Parcel, parcel_id))


@parcels.reads
def list_carriers(state: State) -> Body:
    return found(state, Carrier)


@parcels.reads
def find_points(state: State, name: Id | None = None, district: District | None = None) -> Body:
    return found(state, Point, name=name, district=district)


@parcels.writes
def redirect_parcel(state: State, parcel_id: Id, point_id: Id) -> Body:
    parcel, point = _under_way(state, parcel_id), state.get(Point, point_id)
    if parcel.point_id == point.id:
        raise Refused(409, f"Parcel {parcel_id} goes to pickup point {point_id} already.")
    return shown(state.save(parcel.model_copy(update={"point_id": point.id})))


@parcels.writes(irreversible=True)
def return_parcel(state: State, parcel_id: Id) -> Body:
    return shown(state.save(_under_way(state, parcel_id).model_copy(update={"status": "returned"})))


payments = Service("payments")


@payments.reads
def find_invoices(
    state: State, customer_id: Id | None = None, order_id: Id | None = None, status: InvoiceStatus | None = None
) -> Body:
    wanted = {"customer_id": customer_id, "order_id": order_id, "status": status}
    return found(state, Invoice, "customer_id order_id status", **wanted)


@payments.reads
def get_invoice(state: State, invoice_id: Id) -> Body:
    return shown(state.get(Invoice, invoice_id))


@payments.reads
def find_payments(state: State, invoice_id: Id | None = None) -> Body:
    return found(state, Payment, invoice_id=invoice_id)


@payments.writes
def set_due_date(state: State, invoice_id: Id, due: Day) -> Body:
    invoice = state.get(Invoice, invoice_id)
    if invoice.status == "paid":
        raise Refused(409, f"Invoice {invoice_id} is paid already.")
    if due < state.now.date():
        raise Refused(422, f"due: {due} has passed.")
    return shown(state.save(invoice.model_copy(update={"due": due})))


@payments.writes(irreversible=True)
def pay_invoice(state: State, invoice_id: Id, method: Method) -> Body:
    invoice = state.get(Invoice, invoice_id)
    if invoice.status == "paid":
        raise Refused(409, f"Invoice {invoice_id} is paid already.")
    state.save(invoice.model_copy(update={"status": "paid"}))
    made = state.now.date()
    return shown(state.add(Payment(invoice_id=invoice.id, amount=invoice.amount, method=method, made=made)))


@payments.writes(irreversible=True)
def refund_payment(state: State, payment_id: Id, amount: Count) -> Body:
    payment = state.get(Payment, payment_id)
    left = payment.amount - payment.refunded
    if amount > left:
        raise Refused(422, f"amount: of payment {payment_id}, {left} euros are left to refund.")
    return shown(state.save(payment.model_copy(update={"refunded": payment.refunded + amount})))


SERVICES = (customers, catalog, orders, parcels, payments)
