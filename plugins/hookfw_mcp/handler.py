"""
One call of a tool, as facts: what it answered stands where a command's standard output does.

From the handler rules: text parts are joined with a newline, other parts are markers such as `[image]`; a result without
any text part is its structured content. Nothing that a server writes stands in the account of a failure.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, ClassVar

from hookfw import Ended, HandlerType, ToolResult, failed
from hookfw_mcp.limits import STDERR_LIMIT, TEXT_LIMIT

if TYPE_CHECKING:
    from mcp_types import CallToolResult

    from hookfw import HandlerCall, Invocation, Resources, ServerSpec, ToolRequest


class ToolHandler(HandlerType):
    """Calls tools: through the embedding program where it has the server, else over a session that is kept."""

    name: ClassVar[str] = "mcp_tool"

    async def run(self, invocation: Invocation, call: HandlerCall) -> Ended:
        """Call the tool, within the timeout."""
        request: ToolRequest = invocation.config
        started = time.monotonic()
        if request.problem:
            ended = failed("REQUEST_FAILED", request.problem)
        else:
            answer = _answer(request, call.resources, call.run_id, invocation.timeout)
            try:
                ended = await call.driver.call(answer, invocation.timeout)
            except TimeoutError:
                ended = Ended(state="timed_out")
            except Exception as error:  # noqa: BLE001 - an embedding program's caller may raise anything
                ended = failed("REQUEST_FAILED", f"{_called(request)}, and got no answer ({type(error).__name__})")
        ended.duration = time.monotonic() - started
        return ended


async def _answer(request: ToolRequest, resources: Resources, run_id: str, timeout: float) -> Ended:
    caller = resources.tool_caller
    if caller is not None and caller.has(request.server):
        return facts_of(request, await caller.call(request.server, request.tool, request.arguments, timeout))
    if request.spec is None:
        return failed("NO_SERVER", f"could not be called: unknown MCP server {request.server!r}")
    return await _over_session(request, request.spec, resources, run_id)


async def _over_session(request: ToolRequest, spec: ServerSpec, resources: Resources, run_id: str) -> Ended:
    """The call over the session that is kept for the server; one that has ended is replaced."""
    from mcp import MCPError  # noqa: PLC0415 - slow to load, and only needed for a server of one's own

    from hookfw_mcp.connection import Connection, NotConnectedError, SessionLostError  # noqa: PLC0415 - likewise

    key = ("mcp", spec)
    while not (connection := resources.keep(key, lambda: Connection(spec, resources.environ, run_id))).usable:
        await connection.close()
        resources.forget(key, connection)
    try:
        result = read_result(await connection.call(request.tool, request.arguments))
    except NotConnectedError as error:
        return failed("NOT_CONNECTED", f"could not reach the MCP server {request.server!r}: {error}")
    except SessionLostError as error:
        return failed(
            "OVER_CAP" if error.over else "NOT_CONNECTED", f"{_called(request)}, and lost the server: {error}"
        )
    except MCPError as error:
        failure = failed("REQUEST_FAILED", f"{_called(request)}, and got the error {error.code}")
        failure.stderr = error.message[:STDERR_LIMIT]
    except Exception as error:  # noqa: BLE001 - of an answer that does not fit the protocol, or the tool's own schema
        return failed("REQUEST_FAILED", f"{_called(request)}, and its answer cannot be used ({type(error).__name__})")
    else:
        if not result.is_error:
            return facts_of(request, result)
        failure = facts_of(request, result)
    if await connection.has(request.tool):
        return failure
    return failed("NO_TOOL", f"found no tool {request.tool!r} on the MCP server {request.server!r}")


def read_result(result: CallToolResult) -> ToolResult:
    """What a server answered, as text; a result without any text part is its structured content."""
    parts = result.content
    texts = any(part.type == "text" for part in parts) or result.structured_content is None
    text = "\n".join(part.text if part.type == "text" else f"[{part.type}]" for part in parts) if texts else ""
    return ToolResult(text, result.structured_content, result.is_error or False)


def facts_of(request: ToolRequest, result: ToolResult) -> Ended:
    """What a tool answered, as a command that ended well would have printed it; or its failure."""
    text = result.text
    if not text and result.structured is not None:
        text = json.dumps(result.structured, ensure_ascii=False, separators=(",", ":"))
    if result.is_error:
        ended = failed("TOOL_ERROR", f"{_called(request)}, and was told that it failed")
        ended.stderr = text[:STDERR_LIMIT]
        return ended
    if len(text.encode("utf-8", "replace")) > TEXT_LIMIT:
        return failed("OVER_CAP", f"{_called(request)}, and got more than {TEXT_LIMIT:,} bytes")
    return Ended(state="exited", exit_code=0, stdout=text, facts={"structured": result.structured})


def _called(request: ToolRequest) -> str:
    return f"called the tool {request.tool!r} of the MCP server {request.server!r}"
