"""Only audit documents of the supported format are accepted."""

import pytest

from report import documents
from unflip import UnflipError
from unflip.report.document_format import FORMAT, check_document, format_of


def test_the_format_of_anything_can_be_asked():
    assert format_of(documents.empty()) == FORMAT
    assert format_of({"format": "other/1"}) == "other/1"
    assert format_of({}) is None
    assert format_of([1]) == "list"


def test_other_documents_are_refused_with_their_format():
    check_document("to_html", documents.empty())
    for document, got in (({"format": "unflip-audit/2"}, "'unflip-audit/2'"), ({}, "None"), ("audit.json", "'str'")):
        with pytest.raises(UnflipError) as refused:
            check_document("to_html", document)
        accepted = 'an audit document with the format "unflip-audit/1"'
        assert str(refused.value) == f"to_html: 'document' must be {accepted}, got {got}."
