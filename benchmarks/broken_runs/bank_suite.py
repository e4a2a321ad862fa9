"""The tests of the bank."""

from __future__ import annotations

import pytest

from pytest_replicant import DeviceSession, by

BANK = "dev.replicant.bank"


class Home:
    def __init__(self, mobile: DeviceSession) -> None:
        self.mobile = mobile
        mobile.launch(BANK).expect_screen("Accounts")

    def account(self, name: str) -> AccountPage:
        self.mobile.tap(text=name).expect_screen("Account")
        return AccountPage(self.mobile)

    def open(self, name: str) -> DeviceSession:
        self.mobile.tap(text=name).expect_screen(name)
        return self.mobile


class AccountPage:
    def __init__(self, mobile: DeviceSession) -> None:
        self.mobile = mobile

    def written(self, payee: str, amount: str, reference: str = "") -> DeviceSession:
        """A transfer, up to its review."""
        self.mobile.tap(text="Transfer").expect_screen("Transfer")
        self.mobile.fill(text="Payee", value=payee)
        self.mobile.fill(text="Amount", value=amount)
        if reference:
            self.mobile.fill(text="Reference", value=reference)
        return self.mobile

    def sent(self, payee: str, amount: str, reference: str = "") -> DeviceSession:
        self.written(payee, amount, reference).tap(text="Review").expect_visible(text="Send money?")
        self.mobile.tap(text="Send").expect_screen("Receipt")
        return self.mobile


@pytest.fixture
def home(mobile: DeviceSession) -> Home:
    return Home(mobile)


@pytest.fixture
def everyday(home: Home) -> AccountPage:
    return home.account("Everyday")


@pytest.fixture
def cards(home: Home) -> DeviceSession:
    return home.open("Cards")


@pytest.fixture
def payees(home: Home) -> DeviceSession:
    return home.open("Payees")


def saved(payees: DeviceSession, name: str, number: str) -> DeviceSession:
    payees.tap(text="Add payee").expect_screen("New payee")
    payees.fill(text="Name", value=name)
    payees.fill(text="Number", value=number)
    payees.tap(text="Save payee")
    return payees


# --- accounts -------------------------------------------------------------------------------------


def test_summary(home: Home, mobile: DeviceSession) -> None:
    mobile.expect_visible(text="3 accounts, £9,560.50")


def test_accounts_are_counted(home: Home, mobile: DeviceSession) -> None:
    mobile.wait_for(text_contains="3 accounts")


def test_everyday_balance_in_list(home: Home, mobile: DeviceSession) -> None:
    mobile.expect_visible(text="£1,250.00", row_with=by(text="Everyday"))


def test_savings_row(home: Home, mobile: DeviceSession) -> None:
    assert mobile.find(text_contains="Savings").label == "Savings £8,000.00"


def test_number(everyday: AccountPage, mobile: DeviceSession) -> None:
    mobile.expect_visible(text="Account number 2041 7733")


def test_holiday_number(home: Home, mobile: DeviceSession) -> None:
    home.account("Holiday")
    assert mobile.find(resource_id="number").label.endswith("2041 7758")


def test_history(everyday: AccountPage, mobile: DeviceSession) -> None:
    mobile.expect_visible(text="-£650.00", row_with=by(text="Rent"))


def test_history_of_savings(home: Home, mobile: DeviceSession) -> None:
    home.account("Savings")
    mobile.expect_visible(text="History")
    mobile.wait_for(text="£12.50", row_with=by(text="Interest"))


# --- transfers ------------------------------------------------------------------------------------


def test_receipt(everyday: AccountPage) -> None:
    receipt = everyday.sent("Eva Lind", "25.50", "Tickets")
    receipt.expect_visible(text="Eva Lind", row_with=by(text="To"))
    receipt.expect_visible(text="£25.50", row_with=by(text="Amount"))


def test_reference_on_receipt(everyday: AccountPage) -> None:
    receipt = everyday.sent("City Council", "140", "Bin 7")
    receipt.wait_for(text="Bin 7", row_with=by(text="Reference"))


def test_balance_after_transfer(everyday: AccountPage) -> None:
    everyday.sent("Eva Lind", "50").tap(text="Done").expect_visible(text="£1,200.00")


def test_list_after_transfer(everyday: AccountPage, mobile: DeviceSession) -> None:
    everyday.sent("Bristol Energy", "250").tap(text="Done").expect_screen("Account")
    mobile.back().expect_visible(text="£1,000.00", row_with=by(text="Everyday"))


def test_transfer_in_history(everyday: AccountPage, mobile: DeviceSession) -> None:
    everyday.sent("Eva Lind", "19.99").tap(text="Done")
    mobile.wait_for(text="-£19.99")


def test_transfer_says_so(everyday: AccountPage, mobile: DeviceSession) -> None:
    everyday.written("City Council", "9.50", "Fine").tap(text="Review")
    mobile.tap(resource_id="android:id/button1").expect_seen(text="Money sent")


def test_not_yet(everyday: AccountPage, mobile: DeviceSession) -> None:
    everyday.written("Eva Lind", "12").tap(text="Review")
    mobile.tap(text="Not yet").expect_screen("Transfer")


# --- cards ----------------------------------------------------------------------------------------


def test_frozen(cards: DeviceSession) -> None:
    cards.tap(text="Frozen").expect_state(checked=True)


def test_frozen_is_said(cards: DeviceSession) -> None:
    cards.tap(text="Frozen").expect_visible(text="Card is frozen")


def test_limit(cards: DeviceSession) -> None:
    cards.expect_visible(text="At most £300 a day")


def test_limit_raised(cards: DeviceSession) -> None:
    cards.tap(text="+")
    cards.tap(text="+").expect_visible(text="At most £500 a day")


def test_limit_lowered(cards: DeviceSession) -> None:
    cards.tap(resource_id="limit_minus")
    cards.tap(resource_id="limit_minus")
    cards.wait_for(text="At most £100 a day")


# --- payees ---------------------------------------------------------------------------------------


def test_payees_are_listed(payees: DeviceSession) -> None:
    payees.expect_visible(text="You have 3 payees")
    payees.expect_visible(text="City Council")


def test_payee_saved(payees: DeviceSession) -> None:
    saved(payees, "Anna Falk", "20417801").expect_visible(text="Anna Falk")


def test_payee_counted(payees: DeviceSession) -> None:
    saved(payees, "Tom Webb", "20417802").expect_screen("Payees")
    payees.expect_visible(text="You have 4 payees")


def test_saving_says_so(payees: DeviceSession) -> None:
    saved(payees, "Zoe Hart", "20417803").expect_seen(text="Payee saved")
