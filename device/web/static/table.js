// The table live: draws the moments that the server sends, tells fouls, and offers what may be said.

import { ask, say } from "/static/app.js";

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#faf7ee", "#f2ba1b", "#1c4aa8", "#cd262a", "#5c2c84", "#ec701e", "#187640", "#801c24", "#18181a"];
const BORDER = 0.11;

const at = (id) => document.getElementById(id);
const make = (name, attributes, parent) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
};

let drawn = "";

function drawTable(svg, table) {
  const { length: l, width: w } = table;
  const key = `${l}x${w}`;
  if (drawn === key) return;
  drawn = key;
  svg.replaceChildren();
  svg.setAttribute("viewBox", `${-l / 2 - BORDER} ${-w / 2 - BORDER} ${l + 2 * BORDER} ${w + 2 * BORDER}`);
  make("rect", { x: -l / 2 - 0.045, y: -w / 2 - 0.045, width: l + 0.09, height: w + 0.09, fill: "#17584a" }, svg);
  make("rect", { x: -l / 2, y: -w / 2, width: l, height: w, fill: "#1f6f5c" }, svg);
  make("line", { x1: -l / 4, x2: -l / 4, y1: -w / 2, y2: w / 2, stroke: "#ffffff40", "stroke-width": 0.005 }, svg);
  make("circle", { cx: l / 4, cy: 0, r: 0.01, fill: "#ffffff80" }, svg);
  for (const x of [-l / 2, 0, l / 2]) {
    for (const y of [-w / 2, w / 2]) make("circle", { cx: x, cy: x ? y : y * 1.03, r: 0.058, fill: "#0d0d0e" }, svg);
  }
  make("g", { id: "balls" }, svg);
}

function drawBalls(svg, moment) {
  const radius = moment.table.ball_diameter / 2;
  const group = svg.querySelector("#balls");
  group.replaceChildren();
  for (const ball of moment.balls) {
    const number = ball.name === "cue" ? 0 : Number(ball.name);
    const known = Number.isInteger(number);
    const place = make("g", { transform: `translate(${ball.x} ${-ball.y})` }, group);
    const stripe = known && number > 8;
    const colour = known ? COLOURS[stripe ? number - 8 : number] : "#9aa0a6";
    make("circle", { r: radius, fill: stripe ? COLOURS[0] : colour, stroke: "#00000060", "stroke-width": 0.003 }, place);
    if (stripe) make("path", { d: `M${-radius * 0.94} ${-radius * 0.35}H${radius * 0.94}V${radius * 0.35}H${-radius * 0.94}Z`, fill: colour }, place);
    if (number === 0) continue;
    make("circle", { r: radius * 0.55, fill: "#fdfbf4" }, place);
    const text = make("text", { y: radius * 0.28, "text-anchor": "middle", "font-size": radius * 0.8, "font-family": "system-ui", fill: "#1d1f21" }, place);
    text.textContent = known ? number : "?";
  }
  svg.setAttribute("aria-label", `On the table: ${moment.balls.map((ball) => ball.name).join(", ") || "nothing"}`);
}

function fact(list, name, value) {
  if (value === null || value === undefined || value === "") return;
  const term = document.createElement("dt");
  const told = document.createElement("dd");
  term.textContent = name;
  told.textContent = value;
  list.append(term, told);
}

function drawState(moment) {
  const names = moment.players;
  at("turn").textContent = moment.winner ? `${names[moment.winner]} has won` : `${names[moment.turn] ?? moment.turn} ${moment.options.length ? "chooses" : "shoots"}`;
  const facts = at("facts");
  facts.replaceChildren();
  fact(facts, "League", moment.league_title);
  fact(facts, "Ball on", moment.ball_on);
  if (moment.groups) fact(facts, "Groups", Object.entries(moment.groups).map(([who, group]) => `${names[who]} ${group}`).join(", "));
  fact(facts, "Cue ball", moment.cue_ball.replaceAll("_", " "));
  const rows = Object.entries(moment.fouls_in_row).filter(([, count]) => count).map(([who, count]) => `${names[who]} ${count}`);
  fact(facts, "Fouls in a row", rows.join(", "));
  fact(facts, "Shot clock", moment.clock === null ? "" : `${Math.round(moment.clock)} s`);
  const ruling = at("ruling");
  ruling.className = `ruling ${moment.ruling?.call ?? ""}`;
  ruling.replaceChildren();
  if (moment.ruling) {
    const call = document.createElement("p");
    call.textContent = moment.ruling.explanation;
    const clause = document.createElement("p");
    clause.className = "quiet";
    clause.textContent = moment.ruling.clauses.join(", ") + (moment.ruling.needs_review ? " — to be reviewed" : "");
    ruling.append(call, clause);
  }
  at("health").textContent = healthOf(moment);
}

/** The state of the camera and of the watch in one sentence. */
function healthOf(moment) {
  const health = moment.health;
  if (health.faults.length) return `The camera has a fault: ${health.faults.join(", ").replaceAll("_", " ")}. Nothing is called while it lasts.`;
  if (moment.watching_only) return `Watching only, every shot is for a person to decide: ${moment.watching_only}.`;
  return `${moment.moving ? "A shot is running" : "All balls lie still"} · ${health.dropped} frames dropped · ${health.behind_ms} ms behind`;
}

let acknowledged = null;

function alarm(moment) {
  const ruling = moment.ruling;
  const bad = ruling && ["foul", "illegal_break"].includes(ruling.call);
  const id = bad ? `${moment.rack}/${ruling.entry}` : null;
  if (acknowledged === null) acknowledged = id ?? "";
  if (!bad || id === acknowledged || at("alarm").open) return;
  at("alarm-call").textContent = ruling.call === "foul" ? "Foul" : "Illegal break";
  at("alarm-text").textContent = ruling.explanation;
  at("alarm-clause").textContent = ruling.clauses.join(", ");
  at("alarm").dataset.id = id;
  at("alarm").showModal();
}

at("seen").addEventListener("click", () => { acknowledged = at("alarm").dataset.id; at("alarm").close(); });
at("alarm").addEventListener("cancel", () => { acknowledged = at("alarm").dataset.id; });

let offered = "";

function drawConsole(moment) {
  const likely = at("likely");
  if (!likely) return;
  const key = JSON.stringify(moment.sayable);
  if (key === offered) return;
  offered = key;
  const fouls = { A: at("fouls").querySelector("[data-player=A]"), B: at("fouls").querySelector("[data-player=B]") };
  const more = at("more").querySelector(".buttons");
  for (const place of [likely, fouls.A, fouls.B, more]) place.replaceChildren();
  for (const one of moment.sayable) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = named(one.label, moment.players);
    button.addEventListener("click", () => tell(one, moment));
    const rare = ["concede", "replay", "stalemate", "warning"].includes(one.what);
    (one.what === "foul" ? fouls[one.fields.player] : rare ? more : likely).append(button);
  }
}

/** Labels speak of A and B; people have names. */
const named = (label, players) => label.replace(/\b([AB])\b/g, (letter) => players[letter] ?? letter);

async function tell(one, moment) {
  const { by, ...fields } = one.fields;
  if (one.asks.length) {
    const given = await askFor(one, moment);
    if (!given) return;
    Object.assign(fields, given);
  }
  try {
    const entry = await ask("POST", "/api/v1/table/say", { what: one.what, by, fields });
    say(entry.ruling?.explanation ?? "Noted.");
  } catch (error) {
    say(error.message);
  }
}

function askFor(one, moment) {
  const choices = {
    ball: moment.balls.map((ball) => ball.name).filter((name) => name !== "cue"),
    pocket: ["head_left", "head_right", "side_left", "side_right", "foot_left", "foot_right"],
  };
  at("ask-title").textContent = named(one.label, moment.players);
  const place = at("ask-fields");
  place.replaceChildren();
  for (const field of one.asks) {
    const label = document.createElement("label");
    const list = document.createElement("select");
    list.name = field;
    for (const value of choices[field]) list.append(new Option(value.replaceAll("_", " "), value));
    label.append(`${field} `, list);
    place.append(label);
  }
  at("ask").showModal();
  return new Promise((done) => {
    at("ask").addEventListener("close", () => {
      done(at("ask").returnValue === "yes" ? Object.fromEntries([...place.querySelectorAll("select")].map((list) => [list.name, list.value])) : null);
    }, { once: true });
  });
}

let last = null; // the moment shown

function show(moment) {
  last = moment;
  drawGhosts();
  drawTable(at("cloth"), moment.table);
  drawBalls(at("cloth"), moment);
  drawState(moment);
  drawConsole(moment);
  alarm(moment);
}

/** Rings over the camera's picture where the balls lay: what was disturbed goes back into its ring. */
function drawGhosts() {
  const [svg, picture, lay] = [at("ghosts"), at("picture"), last?.lay];
  const places = lay?.[at("lay").value];
  svg.toggleAttribute("hidden", !places || picture.hidden || !picture.naturalWidth);
  if (svg.hasAttribute("hidden")) return;
  const [width, height] = [picture.naturalWidth, picture.naturalHeight];
  const radius = lay.radius * width;
  const key = JSON.stringify([width, places]);
  if (svg.dataset.key === key) return; // moments come several times a second
  svg.dataset.key = key;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  for (const [name, [x, y]] of Object.entries(places)) {
    make("circle", { cx: x * width, cy: y * height, r: radius, class: "ghost" }, svg);
    make("text", { x: x * width, class: "ghost-name", "font-size": Math.max(radius * 1.1, width / 75), y: (y * height) - radius * 1.9 }, svg).textContent = name;
  }
}

at("lay").addEventListener("change", drawGhosts);
at("picture").addEventListener("load", drawGhosts);

at("look").addEventListener("click", () => {
  at("picture").hidden = false;
  at("picture").src = `/api/v1/table/picture.jpg?at=${Date.now()}`;
});

const source = new EventSource("/api/v1/table/events");
source.addEventListener("moment", (event) => show(JSON.parse(event.data)));
source.addEventListener("error", () => { at("health").textContent = "The connection is lost; trying again …"; });
