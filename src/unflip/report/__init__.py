"""The findings of an audit for people: one HTML file that stands alone, or a short Markdown summary."""

from unflip.report.html import to_html, write_html
from unflip.report.markdown import to_markdown

__all__ = ["to_html", "to_markdown", "write_html"]
