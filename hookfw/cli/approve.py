"""`hookfw approve`: records consent."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from hookfw.cli._consent import has_consent, review_document, show_review
from hookfw.cli._options import Where, json_option, plugin_option, where_options
from hookfw.cli._output import Output, write_json
from hookfw.errors import TrustError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.dialect import Review
    from hookfw.host import Host


@click.command("approve")
@click.argument("digest", required=False)
@where_options
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, where: Where, digest: str | None, *, as_json: bool) -> None:
    """
    Record consent to what `hookfw review` shows.

    With DIGEST, to the content with exactly this digest. Without it a terminal is needed, and each is shown and asked
    about on its own: agents have shells too, so there is no yes to all.
    """
    with where.open(host) as hooks:
        waiting = [review for review in hooks.reviews() if not has_consent(review) or review.digest == digest]
        approved = _with_digest(waiting, digest) if digest is not None else _asked(waiting)
        for review in approved:
            hooks.approve(review)
    if as_json:
        write_json({"approved": [review_document(review) for review in approved]})
        return
    out = Output()
    for review in approved:
        if digest is not None:
            show_review(out, review, content=False)
        out.line(("Approved", "good"), f": {review.path}, from the next session on.")
    if not approved:
        out.line("Nothing was approved." if waiting else "Nothing here waits for consent.")


def _with_digest(reviews: Sequence[Review], digest: str) -> list[Review]:
    found = [review for review in reviews if review.digest == digest]
    if not found:
        message = (
            f"Nothing here has the digest {digest}: the content changed since it was shown, or stands in another home or "
            "workspace; see `hookfw review`."
        )
        raise TrustError(message)
    return found


def _asked(reviews: Sequence[Review]) -> list[Review]:
    if reviews and not (sys.stdin.isatty() and sys.stdout.isatty()):
        message = "Approving needs a terminal to ask on, or the digest as an argument: `hookfw review` shows it."
        raise TrustError(message)
    out = Output()
    approved = []
    for review in reviews:
        show_review(out, review, content=True)
        if click.confirm("Approve exactly this?", default=False):
            approved.append(review)
    return approved
