"""What a fitted audit shows and writes: the list of suspects, the document behind reports, and reports."""

from __future__ import annotations

from html import escape

from sklearn.utils.validation import check_is_fitted

from unflip.audit.document import make_document
from unflip.audit.suspects import suspect_table
from unflip.report import to_html, write_html, write_label_studio


class ReportingMixin:
    """Methods that read what `LabelAudit` found."""

    def suspects(self):
        """Return the flagged labels, worst first, with row numbers, suggestions and reasons.

        Returns
        -------
        suspects : DataFrame
            Columns row, given_label, suggested_label (the likeliest other one), p_wrong, ..., reason.
        """
        check_is_fitted(self)
        return suspect_table(self)

    def report(self, *, title="labels", label="label", first_row=0):
        """Return everything that was found as one document of lists, numbers and texts, ready for JSON.

        Parameters
        ----------
        title : str, default="labels"
            What was audited.
        label : str, default="label"
            The name of the column of labels.
        first_row : int, default=0
            The number of the first row: 0 as in Python, 1 as people count.

        Returns
        -------
        document : dict
            What ``write_html`` shows and ``unflip review`` works on.
        """
        check_is_fitted(self)
        return make_document(self, title=title, label=label, first_row=first_row)

    def write_html(self, path, *, title="labels", label="label"):
        """Write the report as one HTML file that needs nothing else.

        Parameters
        ----------
        path : str or Path
            The file.
        title : str, default="labels"
            What was audited.
        label : str, default="label"
            The name of the column of labels.
        """
        write_html(self.report(title=title, label=label), path)

    def to_label_studio(self, path, *, label="label"):
        """Write the suspects as tasks that Label Studio imports, the suggestion and its score as a prediction.

        Parameters
        ----------
        path : str or Path
            The file, JSON.
        label : str, default="label"
            The name of the column of labels.
        """
        write_label_studio(self.report(label=label), path)

    def _repr_html_(self):
        """Show the report in a notebook; before fit, the parameters."""
        if not hasattr(self, "issues_"):
            return f"<pre>{escape(repr(self))}</pre>"
        return f'<iframe srcdoc="{escape(to_html(self.report()))}" width="100%" height="700" frameborder="0"></iframe>'
