"""Requests as apps write them into the log, and prose that is none."""

from __future__ import annotations

import pytest

from pytest_replicant.logs import Request, parse_log, pids_of, read_requests


def line(message: str, tag: str = "OkHttp", pid: int = 4058, tid: int = 4090) -> str:
    return f"11-21 22:24:29.862  {pid}  {tid} I {tag}: {message}"


def read(*messages: str) -> list[Request]:
    return read_requests(parse_log(line(message) for message in messages))


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        (
            "<-- 500 https://api.shop.dev/orders (123ms, 12-byte body)",
            "https://api.shop.dev/orders: 500",
        ),
        (
            "<-- 404 Not Found https://api.shop.dev/orders/7 (8ms)",
            "https://api.shop.dev/orders/7: 404",
        ),
        ("POST /v1/orders 503", "POST /v1/orders: 503"),
        (
            "POST https://api.shop.dev/orders -> 503 Service Unavailable",
            "POST https://api.shop.dev/orders: 503",
        ),
        ('"GET /login HTTP/1.1" 401 12', ""),  # what follows the status is a number of something
        ('"GET /login HTTP/1.1" 401', "GET /login: 401"),
        (
            "Unexpected response code 500 for https://api.shop.dev/log",
            "https://api.shop.dev/log: 500",
        ),
        ("request to https://api.shop.dev/a failed, status=502", "https://api.shop.dev/a: 502"),
        ("status code: 409 for PUT /cart", "PUT /cart: 409"),
        ("HTTP/2 403 from https://api.shop.dev/a.", "https://api.shop.dev/a: 403"),
        (
            "POST https://api.shop.dev/orders: java.net.SocketTimeoutException: timeout after 200",
            "POST https://api.shop.dev/orders: SocketTimeoutException",
        ),
        (
            'java.net.UnknownHostException: Unable to resolve host "api.shop.dev": No address',
            "api.shop.dev: UnknownHostException",
        ),
        (
            "https://api.shop.dev/a net::ERR_CONNECTION_REFUSED",
            "https://api.shop.dev/a: net::ERR_CONNECTION_REFUSED",
        ),
    ],
)
def test_a_request_that_failed(message: str, wanted: str) -> None:
    found = read(message)
    assert [one.describe() for one in found] == ([wanted] if wanted else [])
    assert all(one.failed for one in found)


@pytest.mark.parametrize(
    "message",
    [
        "See https://shop.dev/help for 404 ways to pay",
        "loaded 500 items from https://api.shop.dev/a",
        "GET /orders took 500 ms",
        "GET /orders 500 items",
        "status of https://api.shop.dev/a is fine since 404 days",
        "error 500 while opening /data/user/0/cache/500",
        "IllegalStateException at 500",
        "reading https://api.shop.dev/404",
        "<-- 100 https://api.shop.dev/a",
        "SocketTimeoutException somewhere",
    ],
)
def test_prose_with_a_number_is_no_request(message: str) -> None:
    assert read(message) == []


def test_one_that_was_answered_has_not_failed() -> None:
    (found,) = read("<-- 204 https://api.shop.dev/orders (1ms)")
    assert not found.failed


def test_an_answer_knows_what_was_asked_in_its_thread() -> None:
    found = read(
        "--> POST https://a.dev/x", "<-- 201 https://a.dev/x (3ms)", "<-- 500 https://a.dev/x (3ms)"
    )
    assert [(one.method, one.status) for one in found] == [("POST", 201), ("", 500)]


def test_one_that_broke_is_the_one_that_its_thread_had_sent() -> None:
    lines = [
        line("--> POST https://a.dev/order", tid=1),
        line("--> GET https://a.dev/ads", tid=2),
        line("<-- HTTP FAILED: java.net.ConnectException: refused", tid=1),
    ]
    (found,) = read_requests(parse_log(lines))
    assert found.describe() == "POST https://a.dev/order: java.net.ConnectException: refused"


def test_paths_are_not_judged_by_their_words() -> None:
    assert [one.endpoint for one in read("POST /analytics/log 500", "POST /login 500")] == [
        "/analytics/log",
        "/login",
    ]


def test_a_long_line_costs_little() -> None:
    assert read("GET https://a.dev/" + "x" * 200_000 + " status " * 5000) == []


def test_the_processes_of_an_app_are_those_that_the_system_tells_of() -> None:
    lines = [
        line("Start proc 4058:dev.shop for top-activity", "ActivityManager", 1402),
        line("Start proc 4060:dev.shop:sync for service", "ActivityManager", 1402),
        line("Start proc 4061:dev.shopping for service", "ActivityManager", 1402),
        line("Process dev.shop (pid 4070) has died: fg  TOP", "ActivityManager", 1402),
        line("Killing 4080:dev.shop/u0a1 (adj 0): stop dev.shop", "ActivityManager", 1402),
        line(
            "FATAL EXCEPTION: main\nProcess: dev.shop, PID: 4090\njava.lang.Error",
            "AndroidRuntime",
            4090,
        ),
        line("Start proc 5000:dev.shop for no one", "SomeApp", 7),
    ]
    assert pids_of("dev.shop", parse_log(lines)) == {4058, 4060, 4070, 4080, 4090}
