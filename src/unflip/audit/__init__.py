"""Which labels are wrong, why, and what they should be: for arrays, embeddings and tables."""

from unflip.audit.finding import find_label_issues
from unflip.audit.label_audit import LabelAudit
from unflip.audit.reasons import Reason

__all__ = ["LabelAudit", "Reason", "find_label_issues"]
