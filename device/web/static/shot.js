// The clip of a shot: play, slow motion, frame by frame.

const clip = document.getElementById("clip");
const STEP = 1 / 60;

const acts = {
  play: () => { clip.playbackRate = 1; return clip.paused ? clip.play() : clip.pause(); },
  slow: () => { clip.playbackRate = 0.25; return clip.play(); },
  back: () => { clip.pause(); clip.currentTime = Math.max(0, clip.currentTime - STEP); },
  on: () => { clip.pause(); clip.currentTime += STEP; },
};

const BEFORE = 2; // a clip begins so many seconds before the stroke

/** Facts begin with their time after the stroke: with a clip, each becomes a way to that moment. */
function seekable(line) {
  const found = line.textContent.match(/^\s*([\d.]+) s/);
  if (!found) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = line.textContent;
  button.addEventListener("click", () => {
    clip.pause();
    clip.currentTime = BEFORE + Number(found[1]);
    clip.scrollIntoView({ block: "nearest" });
  });
  line.replaceChildren(button);
}

if (clip) {
  document.querySelectorAll(".events li").forEach(seekable);
  for (const button of document.querySelectorAll("[data-clip]")) {
    button.addEventListener("click", () => acts[button.dataset.clip]());
  }
}
