"""The page: its text, its size, that it loads nothing, and that texts of the document never run as code."""

import base64
import copy
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from report import documents
from unflip import UnflipError
from unflip.report import to_html, write_html


class Page(HTMLParser):
    """The tags, texts and attributes of a page, as a browser parses them."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.inside, self.texts = [], [], None, {}
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attributes]
        if tag in ("script", "style"):
            self.inside = (tag, dict(attributes).get("type"))

    def handle_endtag(self, tag):
        if self.inside and tag == self.inside[0]:
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.texts[self.inside] = self.texts.get(self.inside, "") + data
        else:
            self.text += data


def readable(document, **options):
    return " ".join(Page(to_html(document, **options)).text.split())


def harmless():
    """A document like the harmful one, with harmless texts."""
    document = documents.sized(6, 3, 3)
    document.update(notes=["one"], left_out={"a": "b"})
    document["rates"]["notes"] = ["two"]
    return document


def test_two_hundred_suspects_with_ten_neighbors_of_twelve_columns_fit_into_half_a_megabyte():
    assert len(to_html(documents.sized(200, 10, 12)).encode()) < 500_000


def test_long_values_are_truncated_so_that_the_page_stays_small():
    document = documents.sized(200, 10, 12)
    document["rows"] = {row: [text + "x" * 300 for text in texts] for row, texts in document["rows"].items()}
    page = to_html(document)
    assert len(page.encode()) < 500_000
    assert "x" * 300 not in page
    few = documents.sized(3, 3, 3)
    few["rows"] = {row: [text + "x" * 300 for text in texts] for row, texts in few["rows"].items()}
    assert "x" * 300 in to_html(few)


def test_the_same_document_gives_the_same_bytes():
    document = documents.realistic(300)
    before = copy.deepcopy(document)
    assert to_html(document) == to_html(json.loads(json.dumps(document)))
    assert document == before


def test_texts_of_the_document_add_no_tags():
    page = Page(to_html(documents.harmful()))
    assert page.tags == Page(to_html(harmless())).tags
    assert documents.HARM.rstrip("\u2028") in page.text


def test_texts_of_the_document_add_no_attributes_but_titles():
    kinds = {(tag, name) for tag, name, _ in Page(to_html(documents.harmful())).attributes}
    expected = {(tag, name) for tag, name, _ in Page(to_html(harmless())).attributes}
    assert kinds - expected == {("bdi", "title")}


def test_data_for_the_script_cannot_end_its_element():
    data = Page(to_html(documents.harmful())).texts["script", "application/json"]
    assert not set("<>&\u2028\u2029") & set(data)
    assert json.loads(data)["texts"] == [documents.HARM]


def test_nothing_is_loaded_and_no_attribute_is_code():
    page = Page(to_html(documents.realistic(300)))
    assert not {"link", "img", "iframe", "object", "embed", "base"} & set(page.tags)
    for tag, name, value in page.attributes:
        assert not name.startswith("on"), (tag, name)
        assert name not in ("style", "src", "srcset"), (tag, name)
        if name == "href":
            assert value.startswith("#"), (tag, value)
    assert "://" not in to_html(documents.sized(3, 3, 3))
    assert not re.search(r"@import|url\((?!#)", page.texts["style", None])


def test_the_policy_allows_only_this_script_and_this_style():
    page = Page(to_html(documents.realistic(300)))
    content = next(value for _, name, value in page.attributes if name == "content" and "src" in value)
    policy = dict(part.split(" ", 1) for part in content.split("; "))
    for directive, tag in (("script-src", "script"), ("style-src", "style")):
        digest = base64.b64encode(hashlib.sha256(page.texts[tag, None].encode()).digest()).decode()
        assert policy[directive] == f"'sha256-{digest}'"
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"


def test_the_page_opens_with_one_plain_sentence():
    document = documents.sized(20, 2, 2)
    start = "About 2.9% of 12,000 labels are probably wrong: 20 are flagged"
    assert f"{start} and listed below, worst first." in readable(document)
    assert f"{start}; the 5 most suspicious are listed below." in readable(document, max_suspects=5)


def test_suspects_beyond_the_maximum_are_counted():
    document = documents.sized(20, 2, 2, n_issues=900)
    page = to_html(document, max_suspects=5)
    assert len(re.findall(r'<tbody id="row-', page)) == 5
    assert "895 more are not shown: issues.csv lists all." in readable(document, max_suspects=5)
    assert "not shown" not in readable(documents.sized(20, 2, 2))


def test_a_document_without_suspects_map_or_columns_says_so():
    text = readable(documents.empty())
    assert "Fewer than 0.1% of 12,000 labels are probably wrong, but no single one stands out" in text
    assert "No label stands out." in text
    assert "Map of the suspects" not in text
    assert "Map of the suspects" in readable(documents.sized(3, 2, 2))
    assert "None of 12,000 labels looks wrong." in readable({**documents.empty(), "expected_wrong": 0.1})


def test_of_a_thousand_classes_the_most_important_are_shown():
    text = readable(documents.sized(200, 2, 2, n_classes=1000))
    assert "The 20 highest of 1,000 rates are shown." in text
    assert "The 12 of 201 classes with the most flagged labels are shown; they hold 11 of the 200." in text
    assert "994 other classes" in text


def test_texts_of_any_kind_are_shown():
    document = documents.sized(6, 3, 3)
    document["classes"] = ["", 7, True]
    document["title"] = "long " * 2000
    document["rows"] = {row: ["", "x" * 10_000, "half \ud800 a character"] for row in document["rows"]}
    document["rates"]["interval"] = [[float("nan"), 0.2], [0.3, 0.1], None]
    text = readable(document)
    assert "(empty)" in text
    assert "True" in text
    assert "long long…" in text
    assert "x" * 1999 + "…" in text
    assert "x" * 2000 not in text
    assert "half ? a character" in to_html(document).encode("utf-8").decode("utf-8")


def test_notes_of_the_rates_are_shown_once():
    document = documents.sized(3, 2, 2)
    document["notes"] = ["Few rows."]
    document["rates"]["notes"] = ["Few rows.", "Rates are not pinned down."]
    text = readable(document)
    assert text.count("Few rows.") == 1
    assert "Rates are not pinned down." in text


@pytest.mark.parametrize("document", [{}, {"format": "other/1"}, "audit.json"])
def test_other_documents_are_refused(document):
    with pytest.raises(UnflipError, match="to_html: 'document' must be an audit document with the format"):
        to_html(document)


@pytest.mark.parametrize("max_suspects", [0, -1, 2.5, "all"])
def test_anything_but_a_count_of_suspects_is_refused(max_suspects):
    with pytest.raises(UnflipError, match="to_html: 'max_suspects' must be an integer >= 1"):
        to_html(documents.empty(), max_suspects=max_suspects)


def test_the_file_is_replaced_atomically(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("before")
    write_html(documents.empty(), path)
    assert path.read_bytes().decode("utf-8") == to_html(documents.empty())
    assert list(tmp_path.iterdir()) == [path]
