// The card of the current suspect: label, probability, actions, values and neighbors.

import { button, element, foreign, nameOf } from "/elements.js";

const LONG_TEXT = 280;
const MAX_BUTTONS = 9;

export const usesDigits = (audit) => audit.classes.length > 2 && audit.classes.length <= MAX_BUTTONS;
export const usesSearch = (audit) => audit.classes.length > MAX_BUTTONS;

export function drawCard(audit, suspect, detail, decided, act) {
  return [
    heading(audit, suspect),
    verdict(audit, suspect),
    element("p", { className: "sentence" }, foreign(detail.sentence)),
    suspect.kind ? decisionNote(audit, suspect) : null,
    actions(audit, suspect, act),
    detail.values.length ? values(audit, detail, act) : null,
    detail.neighbors.length ? neighbors(audit, suspect, detail, decided) : null,
  ].filter(Boolean);
}

function heading(audit, suspect) {
  return element("h2", { id: "row-heading" }, `Row ${suspect.row}`);
}

function verdict(audit, suspect) {
  const label = (number, className) => foreign(nameOf(audit.classes[number]), { className: `label ${className}`, title: audit.classes[number].slice(0, 500) });
  const moved = Math.abs(suspect.p_wrong - suspect.p_audit) >= 0.005;
  return element("dl", { className: "verdict" },
    element("div", {}, element("dt", {}, "Given ", foreign(nameOf(audit.label))), element("dd", {}, label(suspect.given, "given"))),
    element("div", {}, element("dt", {}, "Suggested"), element("dd", {}, label(suspect.suggested, "suggested"))),
    element("div", {}, element("dt", {}, "Probability wrong"), element("dd", {},
      element("span", { className: "p", id: "p-wrong", textContent: suspect.p_wrong_text }),
      moved ? element("span", { className: "quiet", textContent: ` ${suspect.p_audit_text} before your decisions` }) : null)));
}

function decisionNote(audit, suspect) {
  const words = { accept: "You accepted ", keep: "You kept ", choose: "You chose ", skip: "You skipped this row" }[suspect.kind];
  const name = suspect.kind === "skip" ? null : foreign(nameOf(audit.classes[suspect.decided]));
  return element("p", { className: "decision" }, words, name, ". A new decision replaces it.");
}

function actions(audit, suspect, act) {
  const named = (words, number) => element("span", {}, `${words} `, foreign(nameOf(audit.classes[number], 30)));
  return element("div", { className: "actions", role: "group", "aria-label": "Decide" },
    button(named("Accept", suspect.suggested), "a", act.accept, { className: "main" }),
    button(named("Keep", suspect.given), "k", act.keep),
    usesDigits(audit) ? classButtons(audit, suspect, act) : null,
    usesSearch(audit) ? classSearch(audit, act) : null,
    element("span", { className: "others" },
      button("Skip", "s", act.skip),
      button("Undo", "u", act.undo, { id: "undo" }),
      button("Previous", "←", act.previous, { className: "step", "aria-keyshortcuts": "ArrowLeft" }),
      button("Next", "→", act.next, { className: "step", "aria-keyshortcuts": "ArrowRight" })));
}

function classButtons(audit, suspect, act) {
  const one = (number) => button(foreign(nameOf(audit.classes[number], 30)), String(number + 1), () => act.choose(number));
  const others = [...audit.classes.keys()].filter((number) => number !== suspect.given && number !== suspect.suggested);
  return element("span", { className: "classes", role: "group", "aria-label": "Choose another class" }, ...others.map(one));
}

// Option texts are unique, so that each identifies its class.
function optionTexts(classes) {
  const seen = new Map();
  classes.forEach((name, number) => {
    const text = nameOf(name);
    seen.set(seen.has(text) ? `${text} (class ${number})` : text, number);
  });
  return seen;
}

let options = null; // built once: there may be a thousand

function classSearch(audit, act) {
  options ??= { numbers: optionTexts(audit.classes) };
  options.list ??= element("datalist", { id: "class-options" }, ...[...options.numbers.keys()].map((value) => element("option", { value })));
  const input = element("input", { id: "class-search", type: "text", autocomplete: "off", placeholder: "Another class…", "aria-label": "Search for another class" });
  input.setAttribute("list", "class-options");
  const submit = (event) => {
    event.preventDefault();
    const found = options.numbers.get(input.value.trim()) ?? onlyMatch(options.numbers, input.value);
    input.setCustomValidity(found === undefined ? "No class, or more than one, matches." : "");
    if (input.reportValidity()) act.choose(found);
  };
  input.oninput = () => input.setCustomValidity("");
  return element("form", { className: "search", onsubmit: submit }, input, options.list, element("button", {}, "Choose ", element("kbd", { textContent: "c", "aria-hidden": "true" })));
}

function onlyMatch(numbers, typed) {
  const wanted = typed.trim().toLowerCase();
  const found = wanted === "" ? [] : [...numbers].filter(([text]) => text.toLowerCase().startsWith(wanted));
  return found.length === 1 ? found[0][1] : undefined;
}

const clipped = (text) => element("span", { className: text.length > LONG_TEXT ? "text long" : "text" }, foreign(text === "" ? "—" : text));

function values(audit, detail, act) {
  const one = (text, place) => element("div", { className: text.length > 60 ? "wide" : "" },
    element("dt", {}, foreign(nameOf(audit.columns[place] ?? `column ${place + 1}`))), element("dd", {}, clipped(text)));
  const anyLong = [detail, ...detail.neighbors].some((row) => row.values.some((text) => text.length > LONG_TEXT));
  return element("section", { "aria-labelledby": "values-title" },
    element("div", { className: "title" }, element("h3", { id: "values-title", textContent: "Values" }),
      anyLong ? button("Whole texts", "w", act.wholeTexts, { className: "small" }) : null),
    element("dl", { className: "values" }, ...detail.values.map(one)));
}

function neighbors(audit, suspect, detail, decided) {
  const columns = detail.values.length ? audit.columns : [];
  const heads = ["Row", audit.label || "label", "Distance", ...columns];
  const head = element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, foreign(nameOf(name)))));
  const table = element("table", {},
    element("caption", { className: "spoken", textContent: `Nearest rows of row ${suspect.row}, nearest first` }),
    element("thead", {}, head), element("tbody", {}, ...detail.neighbors.map((one) => neighborRow(audit, detail, one, columns, decided))));
  return element("section", {},
    element("h3", { id: "neighbors-title", textContent: "Nearest rows" }),
    columns.length ? element("p", { className: "quiet legend" }, "Values that differ from this row are ", element("span", { className: "differs", textContent: "marked" }), ".") : null,
    element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-labelledby": "neighbors-title" }, table));
}

function neighborRow(audit, detail, one, columns, decided) {
  const decidedClass = decided.get(one.row);
  const name = foreign(nameOf(audit.classes[decidedClass ?? one.label]));
  const cells = columns.map((_, place) => {
    const text = one.values[place] ?? "";
    return element("td", { className: text === detail.values[place] ? "same" : "differs" }, clipped(text));
  });
  return element("tr", {},
    element("th", { scope: "row", textContent: one.row }),
    element("td", { className: "neighbor-label" }, name, decidedClass === undefined ? null : element("span", { className: "quiet", textContent: " decided" })),
    element("td", { className: "number", textContent: one.distance === null ? "" : Number(one.distance.toPrecision(3)) }),
    ...cells);
}
