// Building blocks of the page; every text is inserted as text, never as markup.

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made && !name.includes("-")) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

// The user's texts may be written from right to left: <bdi> isolates them from the surrounding words.
export const foreign = (text, properties = {}) => element("bdi", { textContent: text, ...properties });

export function shortened(text, length = 60) {
  const letters = [...text.slice(0, length * 2 + 2)];
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}

export const nameOf = (text, length = 60) => (text.trim() === "" ? "(empty)" : shortened(text.replace(/\s+/g, " "), length));

// A probability as the server formats it, for use in a sentence: ">0.99" becomes "above 0.99".
export const inSentence = (probability) => probability.replace(">", "above ").replace("<", "below ");

export const counted = (n, thing) => `${n.toLocaleString("en")} ${thing}${n === 1 ? "" : "s"}`;

export function button(words, key, onclick, properties = {}) {
  const parts = key ? [words, " ", element("kbd", { textContent: key, "aria-hidden": "true" })] : [words];
  return element("button", { type: "button", onclick, ...(key ? { "aria-keyshortcuts": key } : {}), ...properties }, ...parts);
}
