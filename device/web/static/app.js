// What every page shares: requests with the page's token, forms, and short messages.

export const csrf = document.querySelector("meta[name=csrf]")?.content ?? "";

/** Ask our own API; throws an Error whose message is for the person. */
export async function ask(method, address, body) {
  const headers = { "x-csrf-token": csrf };
  if (body !== undefined) headers["content-type"] = "application/json";
  const answer = await fetch(address, { method, headers, body: typeof body === "string" ? body : JSON.stringify(body) });
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  const told = await answer.json().catch(() => ({}));
  throw new Error(told.detail ?? `this did not work (${answer.status})`);
}

/** Show a short message for a while. */
export function say(text) {
  const line = document.createElement("p");
  line.textContent = text;
  document.getElementById("said").append(line);
  setTimeout(() => line.remove(), 8000);
}

const values = (form) => Object.fromEntries(new FormData(form));
const reload = () => location.reload();

const forms = {
  "sign-in": async (form) => { await ask("POST", "/api/v1/sessions", values(form)); location.href = "/"; },
  first: async (form) => {
    const told = values(form);
    await ask("POST", "/api/v1/first", told);
    await ask("POST", "/api/v1/sessions", { name: told.name, password: told.password });
    location.href = "/";
  },
  password: async (form) => { await ask("POST", "/api/v1/me/password", values(form)); location.href = "/sign-in"; },
  account: async (form) => { await ask("POST", "/api/v1/accounts", values(form)); reload(); },
  token: async (form) => {
    const told = { ...values(form), scopes: new FormData(form).getAll("scopes") };
    const made = await ask("POST", "/api/v1/tokens", told);
    form.querySelector("output").textContent = `The token, shown this once: ${made.token}`;
  },
  rack: async (form) => { await ask("POST", "/api/v1/table/rack", values(form)); say("A new rack has begun."); },
  import: async (form) => {
    const text = await form.elements.record.files[0].text();
    const made = await ask("POST", "/api/v1/racks", text);
    location.href = `/racks/${made.id}`;
  },
  erase: async (form) => {
    if (!confirm("Take this name out of all records? This cannot be undone.")) return;
    const told = await ask("POST", "/api/v1/players/erase", values(form));
    say(`The name was taken out of ${told.racks} racks.`);
  },
  override: async (form) => {
    const told = values(form);
    const chosen = told.choice === "foul" ? { foul: told.foul } : { choice: Number(told.choice) };
    await ask("POST", `${form.closest("[data-base]").dataset.base}/override`, { reason: told.reason, ...chosen });
    reload();
  },
};

for (const form of document.querySelectorAll("form[data-form]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wrong = form.querySelector(".wrong");
    const button = form.querySelector("button:not([type=button])");
    button.disabled = true;
    try {
      wrong.textContent = "";
      await forms[form.dataset.form](form);
    } catch (error) {
      wrong.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  });
}

const act = (selector, what) => {
  for (const button of document.querySelectorAll(selector)) {
    button.addEventListener("click", async () => {
      try { await what(button); } catch (error) { say(error.message); }
    });
  }
};

act("[data-act=sign-out]", async () => { await ask("DELETE", "/api/v1/sessions"); location.href = "/sign-in"; });
act("[data-remove]", async (button) => {
  if (!confirm(`${button.textContent}?`)) return;
  await ask("DELETE", button.dataset.remove);
  reload();
});
act("[data-rule=confirm]", async (button) => { await ask("POST", `${button.closest("[data-base]").dataset.base}/confirm`); reload(); });
act("[data-fact]", async (button) => {
  await ask("POST", `${button.closest("[data-base]").dataset.base}/fact`, JSON.parse(button.dataset.fact));
  reload();
});
act("[data-compare]", async (button) => {
  const found = await ask("GET", `/api/v1/racks/${button.dataset.compare}/compare?rules=${button.dataset.rules}`);
  const place = document.getElementById("compared");
  place.replaceChildren();
  if (!found.length) place.append(paragraph(`${button.textContent} would have ruled alike on every shot.`));
  for (const one of found) {
    place.append(paragraph(`Entry ${one.entry}: ${one.first?.explanation ?? "nothing is said"} — ${button.textContent}: ${one.second?.explanation ?? "nothing is said"}`));
  }
});

function paragraph(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

for (const link of document.querySelectorAll(".top nav a")) {
  if (location.pathname.startsWith(link.getAttribute("href"))) link.setAttribute("aria-current", "page");
}
