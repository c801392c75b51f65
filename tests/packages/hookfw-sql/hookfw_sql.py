"""Handlers of the type `sql_check`: a query over a database of rules decides."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

from hookfw import Ended, HandlerCall, HandlerType, HandlerTypeInfo, Invocation, failed, hookimpl


class SqlCheck(HandlerType):
    """Refuses what the query finds a reason against: its first row's first column."""

    name = "sql_check"

    async def run(self, invocation: Invocation, call: HandlerCall) -> Ended:
        """Ask the database in a thread, so that a slow one holds nobody up."""
        fields = invocation.config
        if not all(isinstance(fields.get(name), str) for name in ("database", "query")):
            return failed("BAD_FIELDS", "names no `database` and `query`; write both as texts")
        event = invocation.stdin.decode()
        timeout = invocation.timeout
        return await call.driver.in_thread(lambda: check(fields["database"], fields["query"], event, timeout), timeout)


def check(database: str, query: str, event: str, timeout: float) -> Ended:
    """What the query says of an event, which it sees as the JSON text `:event`; the database is only read."""
    values = {"event": event, "tool_name": json.loads(event).get("tool_name")}
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=timeout)) as connection:
            row = connection.execute(query, values).fetchone()
    except sqlite3.Error as error:
        return failed("QUERY_FAILED", f"could not ask {database} ({error}); correct the query")
    if row is None:
        return Ended(state="exited", exit_code=0)
    return Ended(state="exited", exit_code=2, stderr=str(row[0]))


@hookimpl
def register_handler_types() -> list[HandlerTypeInfo]:
    """The type, made when the first hook of it runs."""
    return [HandlerTypeInfo("sql_check", SqlCheck)]
