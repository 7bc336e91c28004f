"""A local page on which a person goes through the suspects of an audit and decides about each."""

from unflip.review.desk import Desk
from unflip.review.document import read_document
from unflip.review.export import write_export
from unflip.review.serving import serve

__all__ = ["Desk", "read_document", "serve", "write_export"]
