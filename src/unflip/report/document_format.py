"""The format of audit documents: written by the audit, rendered by reports, read back by reviews."""

from __future__ import annotations

from typing import Any

from unflip.foundation.errors import refusal

Document = dict[str, Any]

FORMAT = "unflip-audit/1"


def format_of(document: Any) -> Any:
    """Return the format that a document declares, or its type if it is not a document at all."""
    return document.get("format") if isinstance(document, dict) else type(document).__name__


def check_document(owner: object, document: Any) -> None:
    """Refuse anything but an audit document of the supported format."""
    if format_of(document) != FORMAT:
        raise refusal(owner, "document", f'an audit document with the format "{FORMAT}"', format_of(document))
