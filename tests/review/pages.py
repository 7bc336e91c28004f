"""The page in a browser: opened, read, and controlled by keys."""

from contextlib import contextmanager


@contextmanager
def opened(browser, server, *, scheme="light", width=1280, ignore=()):
    """Open the page of a server; any console message that is not ignored fails the test."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 860})
    context.set_default_timeout(20_000)
    page = context.new_page()
    messages = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(server.address)
    page.wait_for_selector("#row-heading")
    settle(page)
    yield page
    context.close()
    assert [text for text in messages if not any(part in text for part in ignore)] == []


def settle(page):
    page.wait_for_selector("body[data-pending='0']")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)
    settle(page)


def heading(page):
    return page.locator("#row-heading").inner_text()


def listed(page, group="remaining"):
    found = page.locator(f"ol[aria-labelledby=list-{group}] button:visible").all()
    return [(int(one.get_attribute("data-row")), one.locator(".p").inner_text()) for one in found]


def state(server):
    with server.client() as client:
        return {one["row"]: (one["kind"], one["decided"]) for one in client.get("/api/state").json()["suspects"]}
