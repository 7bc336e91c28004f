"""The Markdown summary: short, complete, and without markup from the document."""

import re

import pytest

from report import documents
from unflip import UnflipError
from unflip.report import to_markdown
from unflip.report.markdown import escape


def test_a_summary_has_the_sentence_the_rates_and_the_worst_suspects():
    document = documents.sized(20, 2, 2, n_classes=2)
    document["rates"].update(rates=[0.1, 0.2], interval=[[0.05, 0.15], None])
    text = to_markdown(document, max_suspects=2)
    assert text == (
        "### Labels of measurements.parquet\n\n"
        "About 2.9% of 12,000 labels are probably wrong: 20 are flagged; the 2 most suspicious are listed below.\n\n"
        "| label | wrong | 90% interval |\n|---|--:|--:|\n"
        "| active | 10% | 5.0% to 15% |\n| churned | 20% | unknown |\n\n"
        "| row | given | suggested | probability wrong | neighbors agreeing |\n|--:|---|---|--:|--:|\n"
        "| 0 | active | churned | >0.99 | 0 of 35 |\n| 3 | churned | active | >0.99 | 1 of 35 |\n\n"
        "The 2 most suspicious of 20; issues.csv lists all.\n"
    )


def test_without_suspects_there_is_no_table_of_them():
    text = to_markdown(documents.empty())
    assert "none is flagged" in text
    assert "suggested" not in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a|b", "a&#124;b"),
        ("`rm`", r"\`rm\`"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("one\n\n# two", r"one \# two"),
        ("[a](b) *c* _d_", r"\[a\](b) \*c\* \_d\_"),
        ("\\|", r"\\&#124;"),
        ("", "(empty)"),
        ("\u202eabc", "abc"),
        ("@someone", "@<!-- -->someone"),
        ("http://a.b", "http:<!-- -->//a.b"),
        ("x" * 100, "x" * 59 + "…"),
    ],
)
def test_text_is_rendered_literally(text, expected):
    assert escape(text) == expected


def test_harmful_texts_do_not_break_tables():
    text = to_markdown(documents.harmful())
    assert not re.search(r"<(?!!-- -->)", text)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in rows} == {4, 6}


def test_a_lone_surrogate_becomes_a_question_mark():
    document = {**documents.empty(), "title": "half \ud800"}
    assert "### Labels of half ?\n" in to_markdown(document).encode("utf-8").decode("utf-8")


def test_the_highest_rates_of_many_classes_are_shown():
    text = to_markdown(documents.sized(5, 2, 2, n_classes=1000))
    assert "The 10 highest of 1,000 rates." in text
    assert text.count("\n| class") == 10


def test_other_documents_are_refused():
    with pytest.raises(UnflipError, match="to_markdown: 'document' must be an audit document"):
        to_markdown({})
