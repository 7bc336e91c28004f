"""The findings of an audit for people: one HTML file that stands alone, or a short Markdown summary."""

from unflip.report.html import to_html, write_html
from unflip.report.label_studio import label_studio_tasks, write_label_studio
from unflip.report.markdown import to_markdown

__all__ = ["label_studio_tasks", "to_html", "to_markdown", "write_html", "write_label_studio"]
