from __future__ import annotations

import asyncio
import gzip
import logging
import threading

import pytest
from driving import Resources as Held
from driving import both_drivers
from services import TEN_MEGABYTES, closed_port, dying, hanging, saying, serving, speaking_otherwise

from hookfw import Ended, HandlerCall, Host, HttpRequest, Invocation, Resources
from hookfw.drivers.on_asyncio import AsyncioDriver
from hookfw.settings import Settings
from hookfw_http.handler import HttpHandler

SECRET = "not-to-be-seen"
BODY = b'{"hook_event_name": "PreToolUse"}'


def posting(url, *, headers=None, timeout=30.0, **request):
    """A body for a driver: one run of the handler."""

    async def body(driver):
        resources = Resources(host=Host(), settings=Settings(), environ={})
        invocation = Invocation(stdin=BODY, timeout=timeout, config=HttpRequest(url, headers or {}, **request))
        try:
            return await HttpHandler().run(invocation, HandlerCall(driver, "run", {}, lambda: "/nowhere", resources))
        except TimeoutError:
            return Ended(state="timed_out")  # as the host takes it

    return body


@both_drivers
def test_the_payload_is_posted_as_json_and_the_answer_is_standard_output(run):
    with serving(saying({"decision": "block"}, 201)) as service:
        ended = run(posting(f"{service.url}/hook?x=1", headers={"Authorization": f"Bearer {SECRET}"}))
    assert (ended.state, ended.exit_code, ended.stdout) == ("exited", 0, '{"decision": "block"}')
    assert ended.facts == {"status": 201}
    (request,) = service.requests
    assert (request.path, request.body) == ("/hook?x=1", BODY)
    assert request.headers["content-type"] == "application/json"
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    assert request.headers["accept-encoding"] == "identity"


@both_drivers
@pytest.mark.parametrize("status", [301, 302, 307, 400, 403, 404, 500, 503])
def test_any_other_status_fails_and_no_redirect_is_followed(run, status):
    with serving(saying({"decision": "block"})) as other:
        answer = saying({"decision": "block"}, status, Location=f"{other.url}/there")
        with serving(answer) as service:
            ended = run(posting(service.url))
    assert (ended.state, ended.error_kind, ended.facts) == ("failed", "HTTP_STATUS", {"status": status})
    assert ended.stdout == ""
    assert other.requests == []


@both_drivers
def test_an_empty_answer_is_no_output(run):
    with serving(saying(b"", 204)) as service:
        ended = run(posting(service.url))
    assert (ended.state, ended.stdout, ended.facts) == ("exited", "", {"status": 204})


@both_drivers
def test_nobody_there_fails(run):
    ended = run(posting(f"http://127.0.0.1:{closed_port()}/{SECRET}"))
    assert (ended.state, ended.error_kind) == ("failed", "REQUEST_FAILED")
    assert "could not reach 127.0.0.1:" in ended.detail
    assert SECRET not in repr(ended)


@both_drivers
@pytest.mark.parametrize("answer", [dying, speaking_otherwise])
def test_an_answer_that_breaks_off_and_one_that_is_no_http_fail(run, answer):
    with serving(answer) as service:
        ended = run(posting(service.url))
    assert (ended.state, ended.error_kind) == ("failed", "REQUEST_FAILED")


@both_drivers
def test_a_server_without_tls_fails_a_call_over_tls(run):
    with serving(speaking_otherwise) as service:
        ended = run(posting(service.url.replace("http:", "https:")))
    assert (ended.state, ended.error_kind) == ("failed", "REQUEST_FAILED")


@both_drivers
def test_ten_megabytes_are_over_the_cap(run):
    with serving(saying(b" " * TEN_MEGABYTES)) as service:
        ended = run(posting(service.url))
    assert (ended.state, ended.error_kind) == ("failed", "OVER_CAP")


@both_drivers
@pytest.mark.parametrize(("size", "state"), [(100, "exited"), (101, "failed")])
def test_the_cap_is_exact(run, size, state):
    with serving(saying(b"x" * size)) as service:
        assert run(posting(service.url, limit=100)).state == state


@both_drivers
def test_a_compressed_answer_is_not_unpacked(run):
    bomb = gzip.compress(b" " * TEN_MEGABYTES)
    with serving(saying(bomb, Content_Encoding="gzip")) as service:
        ended = run(posting(service.url))
    assert (ended.state, ended.error_kind, ended.stdout) == ("failed", "REQUEST_FAILED", "")
    assert "compressed" in ended.detail


@both_drivers
def test_an_answer_that_says_it_is_not_compressed_counts(run):
    with serving(saying({}, Content_Encoding="identity")) as service:
        assert run(posting(service.url)).stdout == "{}"


@both_drivers
@pytest.mark.parametrize("status", [204, 205])
def test_after_a_success_without_a_body_nothing_is_waited_for(run, status):
    def answer(request, connection):
        connection.wfile.write(f"HTTP/1.1 {status} Well\r\n\r\n".encode())
        connection.wfile.flush()
        closed.wait(60)

    closed = threading.Event()
    with serving(answer) as service:
        ended = run(posting(service.url, timeout=30))
        closed.set()
    assert (ended.state, ended.stdout, ended.facts) == ("exited", "", {"status": status})


@both_drivers
@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        (302, "name the address that it leads to"),
        (401, "see that its headers"),
        (404, "see that its address is right"),
        (503, "see what the service says"),
    ],
)
def test_a_status_of_no_success_names_a_remedy(run, status, remedy):
    with serving(saying({}, status)) as service:
        assert remedy in run(posting(service.url)).detail


@both_drivers
@pytest.mark.parametrize("begins", [False, True])
def test_a_server_that_never_ends_its_answer_is_left_at_the_timeout(run, begins):
    with hanging(begins=begins) as service:
        held = Held()
        ended = run(posting(service.url, timeout=0.2))
        held.check()
    assert ended.state == "timed_out"


@pytest.mark.parametrize("begins", [False, True])
def test_a_cancelled_run_leaves_nothing(begins):
    async def main(service):
        task = asyncio.ensure_future(posting(service.url)(AsyncioDriver()))
        while not service.requests:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with hanging(begins=begins) as service:
        held = Held()
        asyncio.run(main(service))
        held.check()


@both_drivers
@pytest.mark.parametrize("value", ["a\r\nX-Other: b", "a\nb", "a\rb", "a\0b", "a\x7fb", "snow \u2603"])
def test_a_header_that_is_no_header_is_refused_and_its_value_not_told(run, value):
    with serving(saying({})) as service:
        ended = run(posting(service.url, headers={"X-Token": SECRET + value}))
    assert (ended.state, ended.error_kind) == ("failed", "REQUEST_FAILED")
    assert "`X-Token`" in ended.detail
    assert SECRET not in repr(ended)
    assert service.requests == []


@both_drivers
def test_a_header_name_that_is_none_is_refused(run):
    with serving(saying({})) as service:
        ended = run(posting(service.url, headers={"X Token": "x"}))
    assert (ended.state, ended.error_kind) == ("failed", "REQUEST_FAILED")
    assert service.requests == []


@both_drivers
@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://host/x",
        "host/x",
        "http://",
        "http://[x",
        "http://a:99999/",
        "javascript:1",
        "",
        " http://a/",
        "http://a b/",
        "http://a/\r\nX: y",
        "http://\ud800/",
    ],
)
def test_an_address_that_cannot_be_called_is_refused(run, url):
    ended = run(posting(url))
    assert (ended.state, ended.error_kind) == ("failed", "REQUEST_FAILED")
    assert "address" in ended.detail


@both_drivers
def test_proxies_and_passwords_of_the_environment_are_not_used(run, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text(f"machine 127.0.0.1 login ada password {SECRET}\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with serving(saying({})) as proxy, serving(saying({})) as service:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        ended = run(posting(service.url))
    assert ended.state == "exited"
    assert "authorization" not in service.requests[0].headers
    assert proxy.requests == []


@both_drivers
def test_what_a_server_sets_is_not_sent_to_it_again(run):
    with serving(saying({}, Set_Cookie="seen=1; Path=/")) as service:

        async def twice(driver):
            await posting(service.url)(driver)
            return await posting(service.url)(driver)

        run(twice)
    assert [request.headers.get("cookie") for request in service.requests] == [None, None]


@both_drivers
def test_a_password_in_the_address_is_sent_and_shown_nowhere(run, caplog):
    caplog.set_level(logging.DEBUG)
    with serving(saying({}, 500)) as service:
        url = service.url.replace("//", f"//ada:{SECRET}@")
        ended = run(posting(url, headers={"X-Token": SECRET}))
    assert service.requests[0].headers["authorization"].startswith("Basic ")
    assert SECRET not in repr(ended)
    assert SECRET not in caplog.text
    assert "127.0.0.1" in ended.detail


@both_drivers
def test_headers_of_the_hook_may_replace_those_of_json(run):
    with serving(saying({})) as service:
        run(posting(service.url, headers={"content-type": "application/x-mine", "Accept-Encoding": "gzip"}))
    assert service.requests[0].headers["content-type"] == "application/x-mine"
    assert service.requests[0].headers["accept-encoding"] == "identity"
