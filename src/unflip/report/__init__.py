"""Audit documents rendered for people: a self-contained HTML page, a Markdown summary, or Label Studio tasks."""

from unflip.report.html import to_html, write_html
from unflip.report.label_studio import label_studio_tasks, write_label_studio
from unflip.report.markdown import to_markdown

__all__ = ["label_studio_tasks", "to_html", "to_markdown", "write_html", "write_label_studio"]
