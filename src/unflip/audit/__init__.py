"""Which labels are wrong, why, and what they should be: for arrays, embeddings and tables.

`inputs` checks what is given; `scoring` turns it into `findings`, one frozen value; `explanation`, `suspects`,
`document` and `files` read that value.
"""

from unflip.audit.explanation import Reason
from unflip.audit.files import TableAudit, audit_table
from unflip.audit.label_audit import LabelAudit
from unflip.audit.label_issues import find_label_issues

__all__ = ["LabelAudit", "Reason", "TableAudit", "audit_table", "find_label_issues"]
