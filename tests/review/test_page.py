"""The page in a real browser: reviewing by keyboard, without losing a decision."""

import pytest

from review.documents import document, hostile, many, small, suspect, three_classes, write
from review.pages import heading, listed, opened, press, settle, state
from review.servers import served, served_here


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "audit", small())


def test_suspects_are_reviewed_by_keyboard(browser, folder):
    with served_here(folder) as server, opened(browser, server) as page:
        assert heading(page) == "Row 3"
        press(page, "a")
        assert heading(page) == "Row 5"
        assert page.locator("#spoken").inner_text() == (
            "Row 3 accepted as b. Row 5: given a, suggested b, wrong with probability 0.90. 3 left."
        )
        press(page, "k", "s")
        assert heading(page) == "Row 9"
        assert page.locator("#count").inner_text() == "2 of 4 decided, 1 skipped"
        assert page.locator("#progress").evaluate("bar => bar.value / bar.max") == 0.75
        press(page, "a")
        assert heading(page) == "All suspects are reviewed"
        assert "2 labels changed, 1 label kept, 1 skipped." in page.locator("#card").inner_text()
        assert state(server) == {3: ("accept", 1), 5: ("keep", 0), 7: ("skip", None), 9: ("accept", 0)}
        press(page, "u", "u")
        assert heading(page) == "Row 7"
        assert state(server)[7] == state(server)[9] == (None, None)
        page.get_by_role("button", name="Undo").click()
        settle(page)
        assert heading(page) == "Row 5"


def test_keys_in_quick_succession_all_arrive_in_order(browser, folder):
    with served_here(folder) as server, opened(browser, server) as page:
        press(page, "a", "k", "s", "a", "u", "k")
        assert state(server) == {3: ("accept", 1), 5: ("keep", 0), 7: ("skip", None), 9: ("keep", 1)}


def test_a_decision_moves_the_scores_of_its_neighbors_and_their_order(browser, tmp_path):
    # Row 5 follows row 7 until row 3 is accepted, which lifts it above.
    suspects = small()["suspects"]
    suspects[2]["p_wrong"] = 0.85
    folder = write(tmp_path / "audit", small() | {"suspects": suspects})
    with served_here(folder) as server, opened(browser, server) as page:
        assert listed(page) == [(3, "0.90"), (7, "0.85"), (5, "0.80"), (9, "0.60")]
        press(page, "a")
        assert listed(page) == [(5, "0.90"), (7, "0.85"), (9, "0.60")]
        assert heading(page) == "Row 5"
        assert page.locator("#p-wrong").inner_text() == "0.90"
        assert "0.80 before your decisions" in page.locator(".verdict").inner_text()
        first = page.locator("tbody tr").first
        assert first.inner_text().split() == ["3", "b", "decided", "0", "3", "Oslo"]
        press(page, "u")
        assert listed(page) == [(3, "0.90"), (7, "0.85"), (5, "0.80"), (9, "0.60")]


def test_probabilities_read_as_everywhere_else(browser, tmp_path):
    texts = {0.99996: ">0.99", 0.9949: "0.99", 0.625: "0.62", 0.5: "0.50", 0.004: "<0.01"}
    suspects = [suspect(row, 0, 1, p, [(20, 1)]) for row, p in enumerate(texts)]
    with served_here(write(tmp_path / "audit", document(suspects))) as server, opened(browser, server) as page:
        assert listed(page) == list(enumerate(texts.values()))
        assert page.locator("#p-wrong").inner_text() == ">0.99"
        assert "wrong with probability above 0.99. 5 left." in page.locator("#spoken").inner_text()


def test_the_end_says_how_many_more_the_audit_flagged(browser, tmp_path):
    content = document([suspect(1, 0, 1, 0.9, [(2, 1)])], n_issues=3)
    with served_here(write(tmp_path / "audit", content)) as server, opened(browser, server) as page:
        press(page, "a")
        assert "The audit flagged 2 more labels; correct these first" in page.locator("#card").inner_text()


def test_a_killed_server_is_reported_and_its_decisions_are_kept(browser, folder):
    with served(folder) as server, opened(browser, server, ignore=["net::ERR_"]) as page:
        press(page, "a", "k")
        server.end("kill")
        press(page, "k")
        assert "The server does not respond" in page.locator("#trouble").inner_text()
        assert heading(page) == "Row 7"  # not acknowledged, so not passed over
    with served(folder) as server, opened(browser, server) as page:
        assert heading(page) == "Row 7"
        assert page.locator("#count").inner_text() == "2 of 4 decided"
        press(page, "u")
        assert heading(page) == "Row 5"


def test_a_deleted_log_is_reported_and_nothing_is_passed_over(browser, folder):
    with served_here(folder) as server, opened(browser, server, ignore=["503"]) as page:
        press(page, "a")
        (folder / "decisions.sqlite").unlink()
        press(page, "k", "u")
        assert "could not be saved" in page.locator("#trouble").inner_text()
        assert "deleted or replaced" in page.locator("#trouble").inner_text()
        assert heading(page) == "Row 5"
        assert page.locator("#count").inner_text() == "1 of 4 decided"
        press(page, "ArrowRight")
        assert heading(page) == "Row 7"
    assert not (folder / "decisions.sqlite").exists()


def test_long_lists_are_cut_and_say_so(browser, tmp_path):
    suspects = [suspect(row, 0, 1, 0.9, [(row + 1, 1)]) for row in range(2003)]
    with served_here(write(tmp_path / "audit", document(suspects))) as server, opened(browser, server) as page:
        assert page.locator("#lists li").count() == 2001
        assert page.locator("#lists li").last.text_content() == "and 3 more"
        press(page, "a")
        assert page.locator("ol[aria-labelledby=list-remaining] li").last.text_content() == "and 2 more"
        assert page.locator("#count").inner_text() == "1 of 2,003 decided"


def test_two_pages_at_once_see_each_other(browser, folder):
    with (
        served_here(folder) as server,
        opened(browser, server, ignore=["409"]) as one,
        opened(browser, server) as other,
    ):
        press(one, "a")
        press(other, "k")  # as it sees it, row 3 is undecided
        assert state(server)[3] == ("keep", 0)
        press(one, "k")
        press(other, "u", "u")  # its own decision, then the latest of the other
        assert state(server) == {3: ("accept", 1), 5: (None, None), 7: (None, None), 9: (None, None)}
        press(one, "u")  # already undone on the other page
        assert "already undone" in one.locator("#trouble").inner_text()
        assert one.locator("#count").inner_text() == other.locator("#count").inner_text() == "1 of 4 decided"
        press(one, "s")
        assert not one.locator("#trouble").is_visible()
        other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # the reviewer returns to it
        settle(other)
        assert other.locator("#count").inner_text() == "1 of 4 decided, 1 skipped"


def test_another_class_by_number(browser, tmp_path):
    with served_here(write(tmp_path / "audit", three_classes())) as server, opened(browser, server) as page:
        press(page, "3", "1", "2")
        assert state(server) == {0: ("choose", 2), 1: ("keep", 0), 2: ("accept", 1)}
        press(page, "u", "4", "9")
        page.get_by_role("button", name="c", exact=True).click()
        settle(page)
        assert state(server)[2] == ("choose", 2)


def test_two_classes_need_no_further_choice(browser, folder):
    with served_here(folder) as server, opened(browser, server) as page:
        press(page, "1", "2", "c")
        assert heading(page) == "Row 3"
        assert page.locator(".classes, .search").count() == 0


def test_one_of_a_thousand_classes_is_found_by_search(browser, tmp_path):
    content = many(20, 1000)
    row = content["suspects"][0]["row"]
    with served_here(write(tmp_path / "audit", content)) as server, opened(browser, server) as page:
        press(page, "c")
        page.keyboard.type("class")
        page.keyboard.press("Enter")  # a thousand begin so
        settle(page)
        assert state(server)[row] == (None, None)
        page.keyboard.type(" 777")
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#row-heading:not(:text-is('Row {row}'))")
        assert state(server)[row] == ("choose", 777)


def test_arrows_and_the_list_navigate_without_deciding(browser, folder):
    with served_here(folder) as server, opened(browser, server) as page:
        press(page, "ArrowRight", "ArrowRight")
        assert heading(page) == "Row 7"
        press(page, "ArrowLeft")
        assert heading(page) == "Row 5"
        press(page, "ArrowLeft", "ArrowLeft")
        assert heading(page) == "Row 3"
        page.locator("button[data-row='9']").click()
        settle(page)
        press(page, "ArrowUp")
        assert heading(page) == "Row 7"
        assert page.evaluate("document.activeElement.dataset.row") == "7"
        assert set(state(server).values()) == {(None, None)}
        press(page, "s")
        assert heading(page) == "Row 3"
        page.locator("button[data-row='7']").click()
        settle(page)
        assert "You skipped this row. A new decision replaces it." in page.locator("#card").inner_text()


def test_help_opens_and_single_keys_can_be_turned_off(browser, folder):
    with served_here(folder) as server, opened(browser, server) as page:
        press(page, "?")
        assert page.locator("#help").is_visible()
        press(page, "a")
        page.get_by_label("Single-key shortcuts").uncheck()
        press(page, "Escape", "a")
        assert state(server)[3] == (None, None)
        page.get_by_role("button", name="Accept b").click()
        settle(page)
        assert state(server)[3] == ("accept", 1)


def test_texts_from_the_file_stay_texts(browser, tmp_path):
    with served_here(write(tmp_path / "audit", hostile())) as server, opened(browser, server) as page:
        for _ in range(5):
            assert page.evaluate("document.body.dataset.attacked") is None
            assert page.locator("#card img, #card script, header img, nav img").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            press(page, "w", "a")
        assert heading(page) == "All suspects are reviewed"
        assert "<img src=x" in page.locator("#title").inner_text()


def test_values_that_differ_are_marked_and_equal_ones_are_not(browser, folder):
    with served_here(folder) as server, opened(browser, server) as page:
        cells = page.locator("tbody tr").nth(1).locator("td").all()[-2:]  # row 20 (0, Rome) beside row 3 (3, Oslo)
        assert [cell.get_attribute("class") for cell in cells] == ["differs", "differs"]
        cells = page.locator("tbody tr").nth(0).locator("td").all()[-2:]  # row 5 (1, Oslo)
        assert [cell.get_attribute("class") for cell in cells] == ["differs", "same"]


def test_the_token_leaves_the_address_and_a_page_without_it_says_so(browser, folder):
    with served_here(folder) as server, opened(browser, server, ignore=["403"]) as page:
        assert page.url == f"http://127.0.0.1:{server.port}/"
        page.reload()
        page.wait_for_selector("#row-heading")
        stranger = page.context.browser.new_page()
        stranger.goto(f"http://127.0.0.1:{server.port}/")
        stranger.wait_for_selector("#trouble:visible")
        assert "open the address that 'unflip review' printed" in stranger.locator("#trouble").inner_text()
        stranger.close()


def test_the_exports_are_saved(browser, folder):
    with served_here(folder) as server, opened(browser, server) as page:
        press(page, "a", "a", "a", "a")
        for name, words in (("decisions.csv", "3,a,b,accept,"), ("labels.json", '"choices"')):
            with page.expect_download() as download:
                page.get_by_role("button", name=f"Save {name}").click()
            assert download.value.suggested_filename == name
            with open(download.value.path(), encoding="utf-8") as file:
                assert words in file.read()


def test_an_audit_without_suspects_says_so(browser, tmp_path):
    with served_here(write(tmp_path / "audit", document([]))) as server, opened(browser, server) as page:
        assert heading(page) == "Nothing to review"
        press(page, "a", "k", "s", "u", "ArrowRight", "1")
        assert not page.locator("#trouble").is_visible()


def test_suspects_without_values_and_neighbors_are_shown(browser, tmp_path):
    content = document([suspect(1, 0, 1, 0.9, [(2, 1)], neighbors=[])])
    with served_here(write(tmp_path / "audit", content)) as server, opened(browser, server) as page:
        assert heading(page) == "Row 1"
        assert page.locator("table, .values").count() == 0


@pytest.mark.speed
def test_a_thousand_suspects_stay_fast(browser, tmp_path):
    with served_here(write(tmp_path / "audit", many(1000, 3))) as server, opened(browser, server) as page:
        assert len(page.locator("#lists button").all()) == 1000
        press(page, "a")
        took = page.evaluate(
            """async () => {
                const start = performance.now();
                for (const key of "akakakakak") {
                    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                }
                while (document.body.dataset.pending !== "0") await new Promise(requestAnimationFrame);
                return (performance.now() - start) / 10;
            }"""
        )
        assert took < 500  # milliseconds per decision, saved and drawn
        assert page.locator("#count").inner_text() == "11 of 1,000 decided"


def violations(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    return [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found]


CONTENTS = {"small": small, "hostile": hostile, "many": lambda: many(30, 12), "empty": lambda: document([])}
LOOKS = [(scheme, width) for scheme in ("light", "dark") for width in (1280, 390)]


@pytest.mark.parametrize("name", CONTENTS)
def test_axe_finds_no_accessibility_violation(browser, tmp_path, name):
    with served_here(write(tmp_path / "audit", CONTENTS[name]())) as server:
        for scheme, width in LOOKS:
            with opened(browser, server, scheme=scheme, width=width) as page:
                assert violations(page) == [], (scheme, width)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_axe_finds_none_in_the_help_and_at_the_end(browser, folder, scheme, width):
    with served_here(folder) as server, opened(browser, server, scheme=scheme, width=width) as page:
        press(page, "a", "?")
        assert violations(page) == []
        press(page, "Escape", "a", "s", "a")
        assert heading(page) == "All suspects are reviewed"
        assert violations(page) == []


def test_the_page_follows_the_color_scheme(browser, folder):
    with served_here(folder) as server:
        paper = {}
        for scheme in ("light", "dark"):
            with opened(browser, server, scheme=scheme) as page:
                paper[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(250, 249, 247)", "dark": "rgb(21, 24, 26)"}
