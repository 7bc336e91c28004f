// The page: its state, what keys and buttons do, and what a screen reader announces.

import { drawCard, usesDigits, usesSearch } from "/card.js";
import { button, counted, element, inSentence, nameOf } from "/elements.js";
import { Lists, ordered } from "/lists.js";
import { get, post, save, Trouble } from "/server.js";

const at = (id) => document.getElementById(id);
const page = { audit: null, state: null, inOrder: [], current: null, lists: null, details: new Map(), whole: false };
let waiting = Promise.resolve(); // requests run one after another, in the order of the keys
let pending = 0;

function inTurn(work) {
  pending += 1;
  waiting = waiting.then(work).then(() => hideTrouble(), showTrouble).finally(() => { pending -= 1; document.body.dataset.pending = pending; });
  document.body.dataset.pending = pending;
  return waiting;
}

function showTrouble(error) {
  if (!(error instanceof Trouble)) console.error(error);
  at("trouble").textContent = error instanceof Trouble ? error.message : "Something went wrong on this page. Reload it: saved decisions are kept.";
  at("trouble").hidden = false;
}

function hideTrouble() {
  at("trouble").hidden = true;
}

const suspectAt = (row) => page.inOrder.find((suspect) => suspect.row === row);
const remaining = () => page.inOrder.filter((suspect) => suspect.kind === null);
const name = (number) => nameOf(page.audit.classes[number]);

// The server sends all suspects once, and after that only those that changed since the last entry the page knows.
function merged(answer) {
  if (answer.whole) return answer;
  const changed = new Map(answer.suspects.map((suspect) => [suspect.row, suspect]));
  return { ...answer, suspects: page.state.suspects.map((suspect) => changed.get(suspect.row) ?? suspect) };
}

function take(answer) {
  page.state = merged(answer);
  page.inOrder = ordered(page.state.suspects);
  const n = page.state.suspects.length;
  const skipped = page.inOrder.filter((suspect) => suspect.kind === "skip").length;
  const decided = n - skipped - remaining().length;
  at("progress").max = Math.max(n, 1);
  at("progress").value = decided + skipped;
  at("count").textContent = n === 0 ? "" : `${decided.toLocaleString("en")} of ${n.toLocaleString("en")} decided` + (skipped ? `, ${skipped} skipped` : "");
}

async function detailOf(row) {
  if (!page.details.has(row)) page.details.set(row, await get(`/api/suspects/${row}`));
  return page.details.get(row);
}

async function show(row) {
  const hadFocus = at("card").contains(document.activeElement) || document.activeElement === document.body;
  const inList = at("lists").contains(document.activeElement);
  page.current = row;
  const content = row === null ? ending() : drawCard(page.audit, suspectAt(row), await detailOf(row), decidedClasses(), act);
  at("card").replaceChildren(...content);
  at("card").setAttribute("aria-labelledby", "row-heading");
  page.lists.draw(page.inOrder, row);
  if (at("undo")) at("undo").disabled = page.state.newest === null;
  if (inList) page.lists.focus(row);
  else if (hadFocus) at("card").focus({ preventScroll: true });
  prefetch(row);
}

// The next suspect is loaded while the reviewer reads this one.
function prefetch(row) {
  const next = remaining().find((suspect) => suspect.row !== row);
  if (next) detailOf(next.row).catch(() => {});
}

const decidedClasses = () => new Map(page.state.suspects.filter((one) => one.decided !== null).map((one) => [one.row, one.decided]));

function ending() {
  const n = page.state.suspects.length;
  if (n === 0) return [element("h2", { id: "row-heading", textContent: "Nothing to review" }), element("p", { textContent: "The audit flagged no label of this table." })];
  const skipped = page.inOrder.filter((suspect) => suspect.kind === "skip");
  const changed = page.inOrder.filter((suspect) => suspect.decided !== null && suspect.decided !== suspect.given).length;
  return [
    element("h2", { id: "row-heading", textContent: "All suspects are reviewed" }),
    element("p", { className: "sentence", textContent: `${counted(changed, "label")} changed, ${counted(n - changed - skipped.length, "label")} kept, ${skipped.length} skipped.` }),
    more(n),
    element("p", { textContent: "Save the decisions as a table with one line per row, or as Label Studio tasks. Then replace the given labels with the decided ones." }),
    element("div", { className: "actions", role: "group", "aria-label": "Next steps" },
      button("Save decisions.csv", "", saveCsv, { className: "main" }),
      button("Save labels.json", "", saveJson),
      skipped.length ? button(`Go to the ${counted(skipped.length, "skipped suspect")}`, "", () => go(skipped[0].row)) : null,
      button("Undo", "u", act.undo, { id: "undo" })),
  ].filter(Boolean);
}

function more(n) {
  const left = page.audit.n_issues - n;
  return left > 0 ? element("p", { className: "quiet", textContent: `The audit flagged ${counted(left, "more label")}; correct these first, then run it again.` }) : null;
}

function say(words) {
  at("spoken").textContent = words;
}

function upNext() {
  if (page.current === null) return "All suspects are reviewed.";
  const { row, given, suggested, p_wrong_text: p } = suspectAt(page.current);
  return `Row ${row}: given ${name(given)}, suggested ${name(suggested)}, wrong with probability ${inSentence(p)}. ${remaining().length} left.`;
}

const DONE = { accept: "accepted", keep: "kept", choose: "chosen", skip: "skipped" };

function decide(kind, chosen = null) {
  return inTurn(async () => {
    if (page.current === null) return;
    const suspect = suspectAt(page.current);
    const given = { accept: suspect.suggested, keep: suspect.given, choose: chosen, skip: null }[kind];
    const following = after(suspect);
    take(await post("/api/decisions", { row: suspect.row, kind, class: given, since: page.state.last }));
    await show(following(suspect.row));
    scrollTo({ top: 0 });
    say(`Row ${suspect.row} ${DONE[kind]}${given === null ? "" : ` as ${name(given)}`}. ${upNext()}`);
  });
}

// The worst remaining suspect is next; a reviewer who goes through skipped ones stays among them.
function after(suspect) {
  const rest = page.inOrder.slice(page.inOrder.indexOf(suspect) + 1).map((one) => one.row);
  return (row) => {
    if (suspect.kind === "skip") return rest.find((other) => suspectAt(other).kind === "skip") ?? remaining()[0]?.row ?? null;
    return remaining().find((other) => other.row !== row)?.row ?? null;
  };
}

const news = () => get(`/api/state?since=${page.state.last}`);

function undo() {
  return inTurn(async () => {
    const newest = page.state.newest;
    if (newest === null) return say("Nothing to undo.");
    try {
      take(await post("/api/undo", { id: newest.id, since: page.state.last }));
    } catch (error) {
      take(await news()); // another page was faster: show the current state
      await show(page.current);
      throw error;
    }
    await show(newest.row);
    say(`Undone: row ${newest.row}. ${upNext()}`);
  });
}

function go(row) {
  return inTurn(async () => {
    await show(row);
    scrollTo({ top: 0 });
    say(upNext());
  });
}

function step(by) {
  return inTurn(async () => {
    if (page.inOrder.length === 0) return;
    const place = page.inOrder.findIndex((suspect) => suspect.row === page.current);
    const next = Math.min(Math.max(place + by, 0), page.inOrder.length - 1);
    await show(page.inOrder[next].row);
    say(upNext());
  });
}

function choose(number) {
  const suspect = suspectAt(page.current);
  if (!suspect) return undefined;
  return decide(number === suspect.given ? "keep" : number === suspect.suggested ? "accept" : "choose", number);
}

const act = { accept: () => decide("accept"), keep: () => decide("keep"), skip: () => decide("skip"), choose, undo, wholeTexts, next: () => step(1), previous: () => step(-1) };
const saveCsv = () => inTurn(() => save("/api/export.csv", "decisions.csv"));
const saveJson = () => inTurn(() => save("/api/export.json", "labels.json"));

function wholeTexts() {
  page.whole = !page.whole;
  document.body.classList.toggle("whole", page.whole);
  say(page.whole ? "Whole texts are shown." : "Long texts are truncated.");
}

const KEYS = { a: act.accept, k: act.keep, s: act.skip, u: act.undo, w: wholeTexts, "?": help, ArrowRight: act.next, ArrowLeft: act.previous };

function keysOn() {
  return localStorage.getItem("keys") !== "off";
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || at("help").open) return;
  if (event.target.closest("input, select, textarea")) return;
  const inScroll = event.target.closest(".scroll") && event.key.startsWith("Arrow");
  if (inScroll || (event.key.length === 1 && event.key !== "?" && !keysOn())) return;
  const work = event.target.closest("#lists") && { ArrowDown: act.next, ArrowUp: act.previous }[event.key] || KEYS[event.key] || digitOrSearch(event.key);
  if (!work) return;
  event.preventDefault();
  work();
}

function digitOrSearch(key) {
  if (key === "c" && usesSearch(page.audit)) return () => at("class-search")?.focus();
  const number = Number(key) - 1;
  return /^[1-9]$/.test(key) && usesDigits(page.audit) && number < page.audit.classes.length ? () => choose(number) : null;
}

function help() {
  at("help-digits").hidden = !usesDigits(page.audit);
  at("help-search").hidden = !usesSearch(page.audit);
  at("keys-on").checked = keysOn();
  at("help").showModal();
}

async function start() {
  [page.audit, page.state] = [await get("/api/audit"), await get("/api/state")];
  at("title").textContent = nameOf(page.audit.title);
  document.title = `Review of ${nameOf(page.audit.title)}`;
  page.lists = new Lists(at("lists"), page.audit.classes, go);
  take(page.state);
  for (const id of ["lists", "progress", "csv", "json"]) at(id).hidden = page.inOrder.length === 0;
  at("csv").onclick = saveCsv;
  at("json").onclick = saveJson;
  at("help-button").onclick = help;
  at("keys-on").onchange = (event) => localStorage.setItem("keys", event.target.checked ? "on" : "off");
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  await show(remaining()[0]?.row ?? null);
  say(upNext());
}

// Decisions may have been made on another page meanwhile.
function refresh() {
  return inTurn(async () => {
    const answer = await news();
    if (!answer.whole && answer.last === page.state.last) return;
    take(answer);
    await show(page.current ?? remaining()[0]?.row ?? null);
  });
}

inTurn(start).then(() => at("loading")?.remove());
