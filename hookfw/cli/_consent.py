"""What `review`, `approve` and `revoke` share: how content under review reads, and how it is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookfw.cli._shown import difference

if TYPE_CHECKING:
    from hookfw.cli._output import Output
    from hookfw.dialect import Review


def has_consent(review: Review) -> bool:
    """It may run as it stands."""
    return review.state.trust in ("managed", "trusted")


def review_document(review: Review) -> dict[str, Any]:
    """One thing under review, as JSON."""
    return {
        "dialect": review.dialect,
        "path": review.path,
        "digest": review.digest,
        "trust": review.state.trust,
        "note": review.state.note,
        "hooks": [{"name": hook.name, "event": hook.event, "summary": hook.summary} for hook in review.hooks],
        "text": review.text,
        "approved": review.approved,
    }


def show_review(out: Output, review: Review, *, content: bool) -> None:
    """Show what consent would be given to: the file, its digest, each hook with what it runs; with `content`, its text."""
    consent = review.state.trust
    out.line((review.path, "head"), "  ", (consent, "good" if has_consent(review) else "warn"))
    note = (review.state.note or "").removeprefix(f"{consent}: ")
    if note:
        out.line((note, "dim"), indent=2)
    out.line(("dialect ", "dim"), review.dialect, indent=2)
    out.line(("digest ", "dim"), review.digest, indent=2)
    for hook in review.hooks:
        out.line(f"{hook.name} on {hook.event}", (f", if {hook.matcher}" if hook.matcher else "", "dim"), indent=2)
        out.line(("$ " if hook.handler == "command" else "", "dim"), hook.summary, indent=4)
    changes = difference(review.approved, review) if review.approved and not has_consent(review) else []
    if changes:
        out.line(("changed since the approval", "warn"), indent=2)
        out.block("\n".join(changes), indent=4)
    if content and review.text:
        # The summaries are cut: what is approved must be seen whole.
        out.line(("content", "dim"), indent=2)
        out.block(review.text, indent=4)
