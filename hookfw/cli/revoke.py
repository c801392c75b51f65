"""`hookfw revoke`: takes consent back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from hookfw.cli._consent import has_consent, review_document
from hookfw.cli._options import Where, json_option, plugin_option, where_options
from hookfw.cli._output import Output, write_json
from hookfw.errors import TrustError

if TYPE_CHECKING:
    from hookfw.host import Host


@click.command("revoke")
@click.argument("what", required=False, metavar="[DIGEST|PATH]")
@where_options
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, where: Where, what: str | None, *, as_json: bool) -> None:
    """
    Take consent back from the content with this DIGEST or in the file at PATH, or from all of it here.

    Runs that have not started do not start; a command that runs already goes on.
    """
    with where.open(host) as hooks:
        reviews = hooks.reviews()
        if what is not None:
            path = os.path.realpath(what)
            reviews = [item for item in reviews if what == item.digest or path == os.path.realpath(item.path)]
            if not reviews:
                message = f"Nothing under review here has the digest or path {what}: see `hookfw review`."
                raise TrustError(message)
        revoked = [review for review in reviews if has_consent(review) or review.approved is not None]
        for review in revoked:
            hooks.revoke(review)
    if as_json:
        write_json({"revoked": [review_document(review) for review in revoked]})
        return
    out = Output()
    for review in revoked:
        out.line(("Revoked", "warn"), f": {review.path}.")
    if not revoked:
        out.line("There was no consent to take back.")
