"""The format of audit documents: made by the audit, shown by reports, read again by reviews."""

from __future__ import annotations

from typing import Any

from unflip.foundation.errors import refusal

FORMAT = "unflip-audit/1"


def format_of(document: Any) -> Any:
    """Return the format that a document claims to have."""
    return document.get("format") if isinstance(document, dict) else type(document).__name__


def check_document(owner: object, document: Any) -> None:
    """Refuse anything but an audit document of the format that is read here."""
    if format_of(document) != FORMAT:
        raise refusal(owner, "document", f'an audit document with the format "{FORMAT}"', format_of(document))
