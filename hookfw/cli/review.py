"""`hookfw review`: shows what needs consent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hookfw.cli._consent import has_consent, review_document, show_review
from hookfw.cli._options import Where, json_option, plugin_option, where_options
from hookfw.cli._output import Output, write_json
from hookfw.cli._shown import remember

if TYPE_CHECKING:
    from hookfw.host import Host


@click.command("review")
@where_options
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, where: Where, *, as_json: bool) -> None:
    """Show everything here that needs your consent before it runs: commands, digest, and today's state."""
    with where.open(host) as hooks:
        reviews = hooks.reviews()
    remember(reviews)
    if as_json:
        write_json({"reviews": [review_document(review) for review in reviews]})
        return
    out = Output()
    for review in reviews:
        show_review(out, review, content=True)
        out.blank()
    if not reviews:
        out.line("Nothing here needs consent.")
    elif not all(map(has_consent, reviews)):
        out.line("To approve what you have read: hookfw approve DIGEST. Scripts that a command calls are not covered.")
