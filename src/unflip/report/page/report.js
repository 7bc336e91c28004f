// Sorts and filters the list, compares a suspect with its neighbors, and links the map to the list.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const list = document.getElementById("list");
const bodies = list ? Array.from(list.tBodies) : [];
const position = new Map(bodies.map((body, index) => [body.id, index]));
const MAX_LENGTH = 60;

function make(tag, text, attributes = {}) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function ownValues(body) {
  return Array.from(body.querySelectorAll("dd"), (dd) => dd.textContent);
}

function valuesOf(row) {
  const suspect = document.getElementById(`row-${row}`);
  if (suspect) return ownValues(suspect);
  return (data.rows[row] || []).map((text) => (typeof text === "number" ? data.texts[text] : text));
}

// Comparing a suspect with its neighbors

function isNumber(text) {
  return text.trim() !== "" && Number.isFinite(Number(text.replaceAll(",", "")));
}

function valueCell(text, own) {
  const short = text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH - 1) + "…" : text;
  const cell = make("td", short);
  if (short !== text) cell.title = text;
  cell.className = text.length <= 16 ? "short" : "text";
  if (own !== undefined && text !== own && !(isNumber(text) && isNumber(own))) cell.classList.add("differs");
  return cell;
}

function neighborLine(row, distance, label, wrong, values, own) {
  const line = make("tr");
  const head = make("th", undefined, { scope: "row" });
  const suspect = own && position.has(`row-${row}`);
  head.append(suspect ? make("a", row, { href: `#row-${row}` }) : row);
  if (!own) head.append(make("span", " this row"));
  line.append(head, make("td", distance), make("td", data.names[label]));
  line.append(make("td", wrong));
  values.forEach((text, index) => line.append(valueCell(text, own ? own[index] : undefined)));
  return line;
}

function neighborTable(body) {
  const index = position.get(body.id);
  const [, row, given] = data.keys[index];
  const own = ownValues(body);
  const table = make("table", undefined, { class: "neighbors" });
  const text = `Row ${row} and its nearest rows, with the probability that each label is wrong.`;
  table.append(make("caption", `${text} Underlined text differs from row ${row}.`));
  const heads = make("tr");
  for (const title of ["Row", "Distance", "Label", "Probability wrong"]) heads.append(make("th", title, { scope: "col" }));
  for (const title of own.length ? data.columns : []) {
    const head = make("th", title.length > 30 ? title.slice(0, 29) + "…" : title, { scope: "col", title });
    heads.append(head);
  }
  const lines = make("tbody");
  const wrong = body.rows[0].cells[4].textContent;
  lines.append(neighborLine(row, "", given, wrong, own));
  for (const [other, ...rest] of data.neighbors[index]) lines.append(neighborLine(other, ...rest, valuesOf(other), own));
  const head = make("thead");
  head.append(heads);
  table.append(head, lines);
  return table;
}

function fillIn(body) {
  const details = body.querySelector("details");
  if (details.querySelector("table")) return;
  const label = `Nearest rows of row ${data.keys[position.get(body.id)][1]}`;
  const frame = make("div", undefined, { class: "scroll", tabindex: "0", role: "region", "aria-label": label });
  frame.append(neighborTable(body));
  details.querySelector("summary").after(frame);
  for (const dd of details.querySelectorAll("dd")) {
    if (dd.textContent.length <= MAX_LENGTH) dd.previousElementSibling.hidden = dd.hidden = true;
  }
}

// Sorting

function sortBy(column, direction) {
  const order = bodies.map((body, index) => index);
  const key = (index) => data.keys[index][column];
  order.sort((a, b) => direction * (key(a) - key(b)) || a - b);
  list.append(...order.map((index) => bodies[index]));
}

function addSorting() {
  const heads = Array.from(list.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    const button = make("button", undefined, { type: "button" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      // The first click sorts probabilities in descending order, everything else in ascending order.
      const first = column === 4 ? "descending" : "ascending";
      const second = first === "ascending" ? "descending" : "ascending";
      const sort = head.getAttribute("aria-sort") === first ? second : first;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sort);
      sortBy(column, sort === "ascending" ? 1 : -1);
    });
  });
}

// Filtering

function searchText(body) {
  const cells = body.rows[0].cells;
  const labels = [cells[2], cells[3]].map((cell) => cell.firstElementChild.title || cell.textContent);
  return [`row ${cells[1].textContent}`, ...labels, ...ownValues(body)].join("\n").toLowerCase();
}

const search = document.getElementById("search");
const given = document.getElementById("given");
let texts;

function filter() {
  texts ??= bodies.map(searchText);
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  bodies.forEach((body, index) => {
    const fits = words.every((word) => texts[index].includes(word));
    body.hidden = !fits || (given.value !== "" && data.keys[index][2] !== Number(given.value));
    if (!body.hidden) shown += 1;
  });
  document.getElementById("shown").textContent = `${shown} of ${bodies.length} shown`;
  document.getElementById("nothing").hidden = shown > 0;
  list.hidden = shown === 0;
}

function showAll() {
  search.value = "";
  given.value = "";
  filter();
}

function addFiltering() {
  const controls = document.getElementById("controls");
  controls.hidden = false;
  controls.addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", filter);
  given.addEventListener("change", filter);
  document.getElementById("reset").addEventListener("click", () => {
    showAll();
    search.focus();
  });
}

// Going to a suspect from the map, from a neighbor or from the URL

function goTo(hash) {
  const body = document.getElementById(hash.slice(1));
  if (!position.has(hash.slice(1))) return false;
  if (body.hidden) showAll();
  body.querySelector("details").open = true;
  fillIn(body);
  for (const other of list.querySelectorAll(".found")) other.classList.remove("found");
  body.classList.add("found");
  body.querySelector("summary").focus({ preventScroll: true });
  body.scrollIntoView({ block: "start" });
  return true;
}

function addNavigation() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#row-']");
    if (link && goTo(link.getAttribute("href"))) {
      event.preventDefault();
      history.replaceState(null, "", link.getAttribute("href"));
    }
  });
  window.addEventListener("hashchange", () => goTo(location.hash));
  if (location.hash.startsWith("#row-")) goTo(location.hash);
}

// The map: one tab stop, arrow keys from suspect to suspect

function addMap() {
  const links = Array.from(document.querySelectorAll("#map-suspects a")).reverse();
  const readout = document.getElementById("readout");
  if (!links.length) return;
  readout.hidden = false;
  const tell = (event) => {
    const link = event.target.closest("#map-suspects a");
    if (link) readout.textContent = link.getAttribute("aria-label");
  };
  links.forEach((link, index) => link.setAttribute("tabindex", index ? "-1" : "0"));
  // Not on the group of marks itself: an SVG element that listens to focus becomes a tab stop.
  const figure = document.querySelector("#map figure");
  figure.addEventListener("pointerover", tell);
  figure.addEventListener("focusin", tell);
  figure.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const now = links.indexOf(event.target.closest("a"));
    if (!step || now < 0) return;
    event.preventDefault();
    const next = links[(now + step + links.length) % links.length];
    links[now].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}

// Printing: the worst suspects with their neighbors, unless some are already open

function addPrinting() {
  let opened = [];
  window.addEventListener("beforeprint", () => {
    const open = bodies.some((body) => body.querySelector("details").open);
    const shown = Array.from(list.tBodies).filter((body) => !body.hidden);
    opened = open ? [] : shown.slice(0, 10);
    for (const body of opened) {
      fillIn(body);
      body.querySelector("details").open = true;
    }
  });
  window.addEventListener("afterprint", () => {
    for (const body of opened) body.querySelector("details").open = false;
  });
}

if (list) {
  list.addEventListener("toggle", (event) => fillIn(event.target.closest("tbody")), true);
  addSorting();
  addFiltering();
  addMap();
  addPrinting();
  addNavigation();
}
