// The suspects beside the card: remaining ones by probability, then skipped and decided ones.

import { element, foreign, nameOf } from "/elements.js";

const MAX_LISTED = 2000; // of a group; more would make every decision slow, and nobody scrolls that far

const GROUPS = [
  ["Remaining", (suspect) => suspect.kind === null],
  ["Skipped", (suspect) => suspect.kind === "skip"],
  ["Decided", (suspect) => suspect.kind !== null && suspect.kind !== "skip"],
];

export function ordered(suspects) {
  const worstFirst = [...suspects].sort((a, b) => b.p_wrong - a.p_wrong || a.row - b.row);
  return GROUPS.flatMap(([, belongs]) => worstFirst.filter(belongs));
}

export class Lists {
  constructor(place, classes, onpick) {
    this.place = place;
    this.classes = classes;
    this.items = new Map(); // by row, created once: recreating a thousand per decision would be slow
    this.groups = GROUPS.map(([title, belongs]) => this.group(title, belongs));
    place.replaceChildren(...this.groups.map((group) => group.section));
    place.addEventListener("click", (event) => {
      const item = event.target.closest("button[data-row]");
      if (item) onpick(Number(item.dataset.row));
    });
  }

  group(title, belongs) {
    const id = `list-${title.toLowerCase()}`;
    const [head, list] = [element("h2", { id }), element("ol", { "aria-labelledby": id })];
    return { title, belongs, head, list, section: element("section", {}, head, list) };
  }

  draw(inOrder, current) {
    for (const { title, belongs, head, list, section } of this.groups) {
      const members = inOrder.filter(belongs);
      section.hidden = members.length === 0;
      head.textContent = `${title} (${members.length.toLocaleString("en")})`;
      const more = members.length - MAX_LISTED;
      list.replaceChildren(...members.slice(0, MAX_LISTED).map((suspect) => this.item(suspect)),
        ...(more > 0 ? [element("li", { className: "quiet", textContent: `and ${more.toLocaleString("en")} more` })] : []));
    }
    this.mark(current, inOrder);
  }

  item(suspect) {
    const drawn = this.items.get(suspect.row);
    if (drawn?.suspect === suspect) return drawn.line;
    const line = drawn?.line ?? element("li");
    line.replaceChildren(this.entry(suspect));
    this.items.set(suspect.row, { suspect, line });
    return line;
  }

  entry(suspect) {
    const to = suspect.decided ?? suspect.suggested;
    const words = suspect.kind === "keep" ? ["kept ", foreign(nameOf(this.classes[to]))]
      : [foreign(nameOf(this.classes[suspect.given])), " → ", foreign(nameOf(this.classes[to]))];
    const made = element("button", { type: "button", tabIndex: -1 },
      element("span", { className: "p", textContent: suspect.p_wrong_text }),
      element("span", { className: "row", textContent: `row ${suspect.row}` }),
      element("span", { className: "change" }, ...words));
    made.dataset.row = suspect.row;
    return made;
  }

  // One tab stop: the arrow keys move on from there.
  mark(current, inOrder) {
    for (const old of this.place.querySelectorAll("[aria-current], [tabindex='0']")) {
      old.removeAttribute("aria-current");
      old.tabIndex = -1;
    }
    const item = this.items.get(current ?? inOrder[0]?.row)?.line.firstChild;
    if (!item) return;
    item.tabIndex = 0;
    if (current === null) return;
    item.setAttribute("aria-current", "true");
    this.reveal(item);
  }

  reveal(item) {
    if (this.place.scrollHeight <= this.place.clientHeight) return;
    const [box, frame] = [item.getBoundingClientRect(), this.place.getBoundingClientRect()];
    if (box.top < frame.top + 48 || box.bottom > frame.bottom) this.place.scrollTop += box.top - frame.top - frame.height / 3;
  }

  focus(row) {
    this.items.get(row)?.line.firstChild.focus({ preventScroll: true });
  }
}
