"""
The handler type `http`: the payload is posted, the body of the answer is the run's standard output.

A status of no success, a connection that is refused or lost and an answer that is no HTTP are failures, and so is more than may
be read. What a failure means is for the dialect to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hookfw import Ended, HandlerType, failed, text
from hookfw_http.posting import PostError, host_of, post

if TYPE_CHECKING:
    from hookfw import HandlerCall, HttpRequest, Invocation


_REQUEST_REFUSED = 400
_KEYS = (401, 403, 407)
_SERVICE_FAILED = 500
"""Statuses of HTTP; the first and the last begin a class of them."""


class HttpHandler(HandlerType):
    """Posts once."""

    name: ClassVar[str] = "http"

    async def run(self, invocation: Invocation, call: HandlerCall) -> Ended:
        """Post the payload and read the answer, all within the timeout."""
        return await call.driver.call(_post(invocation.config, invocation.stdin), invocation.timeout)


async def _post(request: HttpRequest, body: bytes) -> Ended:
    try:
        posted = await post(request.url, request.headers, body, request.limit)
    except PostError as error:
        return failed(error.kind, error.detail)
    if not posted.well:
        detail = f"got the status {posted.status} from {host_of(request.url)}; {_remedy(posted.status)}"
        return failed("HTTP_STATUS", detail, status=posted.status)
    return Ended(state="exited", exit_code=0, stdout=text.decode(posted.body), facts={"status": posted.status})


def _remedy(status: int) -> str:
    """What to do about a status that is no success."""
    if status < _REQUEST_REFUSED:
        return "no redirect is followed: name the address that it leads to"
    if status in _KEYS:
        return "see that its headers hold what the service asks for"
    if status < _SERVICE_FAILED:
        return "see that its address is right and what the service there takes"
    return "see what the service says about it"
