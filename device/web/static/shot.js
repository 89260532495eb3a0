// The clip of a shot: play, slow motion, frame by frame.

const clip = document.getElementById("clip");
const STEP = 1 / 60;

const acts = {
  play: () => { clip.playbackRate = 1; return clip.paused ? clip.play() : clip.pause(); },
  slow: () => { clip.playbackRate = 0.25; return clip.play(); },
  back: () => { clip.pause(); clip.currentTime = Math.max(0, clip.currentTime - STEP); },
  on: () => { clip.pause(); clip.currentTime += STEP; },
};

if (clip) {
  for (const button of document.querySelectorAll("[data-clip]")) {
    button.addEventListener("click", () => acts[button.dataset.clip]());
  }
}
