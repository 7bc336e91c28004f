"""Text that Markdown shows as it is."""

from __future__ import annotations

_SIGNS = str.maketrans({
    "|": "&#124;", "$": "&#36;",  # some readers split cells, and set formulas, before they look for backslashes
    "<": "&lt;", ">": "&gt;", "&": "&amp;",
    **{sign: f"\\{sign}" for sign in r"\`*_[]#~!"},
})  # fmt: skip


def escape_markdown(text: str) -> str:
    """Return a text whose signs Markdown takes for themselves.

    >>> escape_markdown("a|b <b>")
    'a&#124;b &lt;b&gt;'
    """
    return text.translate(_SIGNS)
