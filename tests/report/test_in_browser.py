"""The page in a real browser: mouse, keyboard, screen reader, print, and no network requests."""

import pytest

from report import documents
from unflip.report import write_html


@pytest.fixture(scope="module")
def realistic():
    return documents.realistic(700)


@pytest.fixture
def show(browser, tmp_path):
    """Open the page of a document; any request but the page itself, and any console message, fails the test."""
    contexts, problems = [], []

    def show(document, **options):
        path = tmp_path / "report.html"
        write_html(document, path)
        context = browser.new_context(reduced_motion="reduce", **options)
        contexts.append(context)
        address = path.as_uri()

        def answer(route):
            if route.request.url.split("#")[0] == address:
                return route.continue_()
            problems.append(f"requested {route.request.url}")
            return route.abort()

        context.route("**/*", answer)
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(address)
        return page

    yield show
    for context in contexts:
        context.close()
    assert problems == []


def column(page, number):
    return page.locator(f"#list > tbody:visible > tr:first-child > :nth-child({number})").all_inner_texts()


def shown_rows(page):
    return [int(row) for row in column(page, 2)]


def test_headers_sort_and_announce_it(show, realistic):
    page = show(realistic)
    ranked = [suspect["row"] for suspect in realistic["suspects"]]
    assert shown_rows(page) == ranked
    head = page.get_by_role("columnheader", name="Row", exact=True).first
    page.get_by_role("button", name="Row", exact=True).click()
    assert shown_rows(page) == sorted(ranked)
    assert head.get_attribute("aria-sort") == "ascending"
    page.get_by_role("button", name="Row", exact=True).click()
    assert shown_rows(page) == sorted(ranked, reverse=True)
    assert head.get_attribute("aria-sort") == "descending"
    assert page.locator("#list [aria-sort]").count() == 1


@pytest.mark.parametrize(
    ("header", "key"),
    [
        ("Given label", lambda s: s["given"]),
        ("Suggested label", lambda s: s["suggested"]),
        ("Probability wrong", lambda s: -s["p_wrong"]),
        ("Neighbors agreeing", lambda s: s["n_agree"]),
    ],
)
def test_every_header_sorts_by_its_own_column(show, realistic, header, key):
    page = show(realistic)
    page.get_by_role("button", name="Row", exact=True).click()
    page.get_by_role("button", name=header).click()
    assert shown_rows(page) == [suspect["row"] for suspect in sorted(realistic["suspects"], key=key)]


def test_search_covers_rows_labels_and_values(show, realistic):
    page = show(realistic)
    total = len(realistic["suspects"])

    def found(text):
        page.get_by_label("Search").fill(text)
        rows = shown_rows(page)
        assert page.locator("#shown").inner_text() == f"{len(rows)} of {total} shown"
        return rows

    values = realistic["rows"]
    bergen = [s["row"] for s in realistic["suspects"] if "Bergen" in values[str(s["row"])]]
    assert found("bergen") == bergen
    assert 0 < len(bergen) < total
    both = [s["row"] for s in realistic["suspects"] if s["row"] in bergen and 2 in (s["given"], s["suggested"])]
    assert found("Bergen paused") == both
    assert 0 < len(both) < len(bergen)
    last = realistic["suspects"][-1]["row"]
    assert last in found(f"row {last}")
    assert found("no such text") == []
    page.get_by_role("button", name="Show all").click()
    assert len(shown_rows(page)) == total
    assert page.locator("#search").evaluate("e => e === document.activeElement")


def test_filtering_by_the_given_label(show, realistic):
    page = show(realistic)
    wanted = [s["row"] for s in realistic["suspects"] if s["given"] == 1]
    page.get_by_label("Given label").select_option(label=f"churned ({len(wanted)})")
    assert shown_rows(page) == wanted
    assert page.locator("#shown").inner_text().startswith(f"{len(wanted)} of ")


def test_a_suspect_opens_to_its_neighbors(show, realistic):
    page = show(realistic)
    suspect = realistic["suspects"][3]
    entry = page.locator(f"#row-{suspect['row']}")
    assert not entry.locator(".neighbors").is_visible()
    entry.get_by_text(suspect["sentence"]).click()
    entry.locator(".neighbors").wait_for()
    lines = entry.locator(".neighbors tbody tr").all()
    assert len(lines) == 11
    own = realistic["rows"][str(suspect["row"])]
    assert lines[0].locator("td").all_inner_texts()[3:] == [*own[:8], shortened(own[8])]
    for line, neighbor in zip(lines[1:], suspect["neighbors"], strict=True):
        cells = line.locator("td").all_inner_texts()
        assert line.locator("th").inner_text() == str(neighbor["row"])
        assert cells[:2] == [f"{neighbor['distance']:.3g}", realistic["classes"][neighbor["label"]]]
        values = realistic["rows"][str(neighbor["row"])]
        assert cells[3:] == [*values[:8], shortened(values[8])]
        marks = ["differs" in (cell.get_attribute("class") or "") for cell in line.locator("td").all()[3:]]
        assert marks[1:3] == [values[1] != own[1], values[2] != own[2]]
        assert not any(marks[3:7])  # numbers differ nearly always


def shortened(text):
    return text if len(text) <= 60 else text[:59] + "…"


def test_clicking_a_suspect_on_the_map_goes_to_its_row(show, realistic):
    page = show(realistic)
    row = realistic["suspects"][-1]["row"]
    page.get_by_label("Search").fill("no such text")
    mark = page.locator(f"#map-suspects a[href='#row-{row}']")
    mark.dispatch_event("pointerover")
    assert page.locator("#readout").inner_text() == mark.get_attribute("aria-label")
    assert page.locator("#readout").inner_text().startswith(f"Row {row}: labeled ")
    mark.dispatch_event("click")
    entry = page.locator(f"#row-{row}")
    assert entry.is_visible()
    entry.locator(".neighbors").wait_for()
    box = entry.bounding_box()
    assert -1 <= box["y"] < page.viewport_size["height"]
    assert page.evaluate("document.activeElement.closest('tbody').id") == f"row-{row}"


def test_the_keyboard_alone_reaches_everything(show, realistic):
    page = show(realistic)

    def focused(what):
        return page.evaluate(f"document.activeElement.{what}")

    page.keyboard.press("Tab")
    assert focused("className") == "skip"
    while focused("closest('#map-suspects')") is None:
        page.keyboard.press("Tab")
    first = page.evaluate("document.activeElement.getAttribute('href')")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.getAttribute('href')")
    assert [first, second] == [f"#row-{s['row']}" for s in realistic["suspects"][:2]]
    page.keyboard.press("Tab")
    assert focused("id") == "search"  # the map is one tab stop
    page.keyboard.type("oslo")
    assert 0 < len(shown_rows(page)) < len(realistic["suspects"])
    page.keyboard.press("Tab")
    assert focused("id") == "given"
    page.keyboard.press("Tab")
    assert focused("textContent") == "Rank"
    page.keyboard.press("Enter")
    assert page.locator("#list [aria-sort]").get_attribute("aria-sort") == "descending"
    for _ in range(6):
        page.keyboard.press("Tab")
    assert focused("tagName") == "SUMMARY"
    assert focused("closest('tbody').id") == f"row-{shown_rows(page)[0]}"
    page.keyboard.press("Enter")
    page.locator("#list > tbody:visible").first.locator(".neighbors").wait_for()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_harmful_texts_do_nothing_and_show_as_text(show):
    page = show(documents.harmful())
    page.locator("#list summary").first.click()
    assert page.evaluate("window.harm") is None
    assert page.locator("h1").inner_text() == " ".join(documents.HARM.split())
    assert page.locator(".neighbors thead th").nth(4).get_attribute("title") == documents.HARM.rstrip("\u2028") + " 0"
    assert page.locator("img").count() == 0


def test_the_policy_blocks_other_scripts(browser, tmp_path):
    path = tmp_path / "report.html"
    write_html(documents.empty(), path)
    path.write_text(path.read_text().replace("</body>", "<script>window.harm = 1</script></body>"))
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.evaluate("window.harm") is None
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("make", [lambda: documents.realistic(300), documents.empty], ids=["realistic", "empty"])
def test_axe_finds_no_accessibility_violation(show, make, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = show(make(), color_scheme=scheme)
    for line in page.locator("#list summary").all()[:2]:
        line.click()
    result = axe.run(page)
    assert result.violations_count == 0, result.generate_report()


def test_light_and_dark_differ(show):
    grounds = [
        show(documents.empty(), color_scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert grounds == ["rgb(251, 251, 250)", "rgb(20, 23, 26)"]


@pytest.mark.parametrize(
    "make", [lambda: documents.realistic(300), documents.harmful, lambda: documents.sized(30, 10, 12, n_classes=1000)],
    ids=["realistic", "harmful", "many classes"],
)  # fmt: skip
def test_a_phone_needs_no_horizontal_scrolling(show, make):
    page = show(make(), viewport={"width": 375, "height": 700})
    page.locator("#list summary").first.click()
    page.locator(".neighbors").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_the_list_and_the_charts_need_no_script(show, realistic):
    page = show(realistic, java_script_enabled=False)
    suspect = realistic["suspects"][0]
    assert page.locator("#list > tbody").count() == len(realistic["suspects"])
    assert page.locator("svg.chart").count() == 3
    assert not page.locator("#controls").is_visible()
    entry = page.locator(f"#row-{suspect['row']}")
    entry.locator("summary").click()
    assert entry.locator("dd").first.inner_text() == realistic["rows"][str(suspect["row"])][0]
    assert page.locator("noscript p").is_visible()


def test_print_shows_the_worst_suspects_opened_and_no_controls(show, realistic):
    page = show(realistic)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.locator(".neighbors:visible").nth(9).wait_for()
    assert page.locator(".neighbors:visible").count() == 10
    assert not page.locator("#controls").is_visible()
    assert not page.locator("nav").is_visible()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator(".neighbors:visible").count() == 0
