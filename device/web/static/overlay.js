// What the machine saw, drawn over the clip: each ball's way so far, its name, and what happens at this moment.

const BEFORE = 2; // a clip begins so many seconds before the stroke
const TRAIL = 1.2; // seconds of a way that are drawn
const FLASH = 0.25; // seconds for which a contact is marked

const clip = document.getElementById("clip");
const canvas = document.getElementById("over");
const button = document.querySelector("[data-overlay]");

const tint = (ball) => (ball === "cue" ? "#ffffff" : `hsl(${(Number(ball.replace("?", "")) * 47) % 360} 90% 62%)`);

/** A ball's place at a time after the stroke, between the times that are kept. */
function placeOf(way, t) {
  const last = way.t.length - 1;
  if (t <= way.t[0]) return [way.x[0], way.y[0]];
  if (t >= way.t[last]) return [way.x[last], way.y[last]];
  let k = 1;
  while (way.t[k] < t) k += 1;
  const share = (t - way.t[k - 1]) / (way.t[k] - way.t[k - 1]);
  return [way.x[k - 1] + share * (way.x[k] - way.x[k - 1]), way.y[k - 1] + share * (way.y[k] - way.y[k - 1])];
}

function drawWay(pen, way, t, width, height, radius) {
  const [x, y] = placeOf(way, t);
  pen.strokeStyle = pen.fillStyle = tint(way.ball);
  pen.lineWidth = 2;
  pen.beginPath();
  for (let k = 0; k < way.t.length; k += 1) {
    if (way.t[k] < t - TRAIL || way.t[k] > t) continue;
    pen.lineTo(way.x[k] * width, way.y[k] * height);
  }
  pen.lineTo(x * width, y * height);
  pen.stroke();
  pen.beginPath();
  pen.arc(x * width, y * height, radius, 0, 2 * Math.PI);
  pen.stroke();
  pen.font = `600 ${Math.max(11, radius * 1.1)}px system-ui, sans-serif`;
  pen.lineWidth = 3;
  pen.strokeStyle = "#000000b0";
  pen.strokeText(way.ball, (x * width) + radius + 3, (y * height) - radius);
  pen.fillText(way.ball, (x * width) + radius + 3, (y * height) - radius);
}

function drawMark(pen, mark, width, height, radius) {
  pen.strokeStyle = "#ffd23f";
  pen.lineWidth = 3;
  pen.beginPath();
  pen.arc(mark.x * width, mark.y * height, radius * 1.7, 0, 2 * Math.PI);
  pen.stroke();
  pen.fillStyle = "#ffd23f";
  pen.strokeStyle = "#000000c0";
  pen.font = `600 ${Math.max(12, radius * 1.2)}px system-ui, sans-serif`;
  const side = mark.x > 0.6 ? -1 : 1; // words run into the picture, never out of it
  pen.textAlign = side < 0 ? "right" : "left";
  const down = mark.y > 0.9 ? -radius * 2 : radius * 2.4;
  pen.strokeText(mark.what, (mark.x * width) + side * radius * 2, (mark.y * height) + down);
  pen.fillText(mark.what, (mark.x * width) + side * radius * 2, (mark.y * height) + down);
  pen.textAlign = "left";
}

function draw(told) {
  const width = (canvas.width = clip.clientWidth);
  const height = (canvas.height = clip.clientHeight);
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, width, height);
  const t = clip.currentTime - BEFORE;
  canvas.dataset.t = t.toFixed(3);
  const radius = Math.max(4, told.radius * width);
  for (const way of told.ways) drawWay(pen, way, t, width, height, radius);
  for (const mark of told.marks) if (Math.abs(mark.t - t) < FLASH / 2) drawMark(pen, mark, width, height, radius);
}

function follow(told) {
  if (canvas.hidden) return;
  draw(told);
  requestAnimationFrame(() => follow(told));
}

if (clip && button) {
  const told = await (await fetch(`${document.querySelector(".shot").dataset.base}/overlay`)).json();
  button.addEventListener("click", () => {
    canvas.hidden = !canvas.hidden;
    button.setAttribute("aria-pressed", String(!canvas.hidden));
    follow(told);
  });
  canvas.hidden = false;
  follow(told);
}
