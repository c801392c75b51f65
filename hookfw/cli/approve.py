"""`hookfw approve`: records consent."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from hookfw.cli._consent import has_consent, review_document, show_review
from hookfw.cli._errors import ChangedError
from hookfw.cli._options import Where, json_option, plugin_option, where_options
from hookfw.cli._output import Output, write_json
from hookfw.cli._shown import difference, remember
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
        waiting = [
            review
            for review in hooks.reviews()
            if (digest and review.digest == digest) or (review.hooks and not has_consent(review))
        ]
        approved = _with_digest(waiting, digest) if digest is not None else _asked(waiting)
        # Between showing and recording the file may have changed: what was seen is what is recorded, or nothing.
        hooks.reload()
        now = {(review.path, review.key): review for review in hooks.reviews()}
        for review in approved:
            if now.get((review.path, review.key), review).digest != review.digest:
                raise _changed(review.digest, [now[review.path, review.key]])
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
        raise _changed(digest, reviews)
    remember(found)
    return found


def _changed(digest: str, reviews: Sequence[Review]) -> TrustError:
    """
    The refusal of a digest that is not current, with the difference where the text behind it was shown here.

    The beginning of a digest is no consent: somebody else could write other content that has it.
    """
    whole = next((review.digest for review in reviews if digest and digest in review.digest), None)
    if whole is not None:
        message = f"{digest} is a part of the digest {whole}: consent needs the whole of it."
        return ChangedError(message, [])
    message = (
        f"Nothing here has the digest {digest}: the content changed since it was shown, or stands in another home or "
        "workspace; see `hookfw review`."
    )
    changes = min((lines for review in reviews if (lines := difference(digest, review))), key=len, default=[])
    return ChangedError(message, changes)


def _asked(reviews: Sequence[Review]) -> list[Review]:
    # Standard input is None where it was closed.
    if reviews and not (sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()):
        message = "Approving needs a terminal to ask on, or the digest as an argument: `hookfw review` shows it."
        raise TrustError(message)
    remember(reviews)
    out = Output()
    approved = []
    for review in reviews:
        show_review(out, review, content=True)
        if click.confirm("Approve exactly this?", default=False):
            approved.append(review)
    return approved
