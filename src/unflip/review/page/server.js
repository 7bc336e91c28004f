// Requests to the server: the token from the address is sent in a header of each.

function token() {
  const found = new URLSearchParams(location.hash.slice(1)).get("token");
  if (found) {
    sessionStorage.setItem("token", found);
    history.replaceState(null, "", location.pathname); // keep it out of sight, copies and the history
  }
  return found ?? sessionStorage.getItem("token") ?? "";
}

const TOKEN = token();

export class Trouble extends Error {}

async function answer(path, options = {}) {
  const headers = { "X-Unflip-Token": TOKEN, ...options.headers };
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch {
    throw new Trouble(
      "The server does not respond, so nothing new is saved. Start “unflip review” again and open the address it " +
        "prints; all earlier decisions are kept.",
    );
  }
  if (response.ok) return response;
  const refusal = await response.json().catch(() => ({}));
  throw new Trouble(refusal.error ?? `The server answered ${response.status}.`);
}

export const get = async (path) => (await answer(path)).json();

export const post = async (path, body) =>
  (await answer(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json();

export async function save(path, name) {
  const blob = await (await answer(path)).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
