"""A local web page for reviewing the suspects of an audit one by one."""

from unflip.review.desk import Desk
from unflip.review.document import read_document
from unflip.review.export import write_export
from unflip.review.serving import serve

__all__ = ["Desk", "read_document", "serve", "write_export"]
