/** Time: play, step, speed, restart, recording; for recordings a timeline to scrub. */
import { NewestOnly } from "../model/newest.ts";
import { clock, people, speedFactor } from "../model/words.ts";
import type { Studio } from "../studio.ts";
import { button, fill, h, icon } from "./dom.ts";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

export function timebar(studio: Studio, marks: HTMLElement): HTMLElement {
  const restart = button({ icon: "restart", title: "Begin anew", key: "Shift+R", press: (b) => void studio.ask("restart", {}, b) });
  const back = button({ icon: "back", title: "One frame back", key: ",", press: (b) => void studio.ask("step", { count: -1 }, b) });
  const play = button({ icon: "play", title: "Play", key: "Space", class: "play", press: () => togglePlay(studio) });
  const step = button({ icon: "step", title: "One step", key: ".", press: (b) => void studio.ask("step", { count: 1 }, b) });
  const speed = h("select", { title: "How many seconds pass per second ([ and ])", attributes: { "aria-label": "Speed" } });
  speed.addEventListener("change", () => {
    void studio.ask("speed", { factor: Number(speed.value) }, speed);
    // Keys are for the stage again.
    speed.blur();
  });
  const time = h("output", { class: "clock", title: "Simulated time" }, "0:00.0");
  const here = button({
    icon: "flag",
    title: "Make this moment the beginning",
    press: (b) =>
      void studio.ask("start_here", {}, b).then((reply) => {
        if (reply !== undefined) studio.showMessage({ level: "info", text: "The scene begins with everybody where they are now", near: b });
      }),
  });
  const slider = h("input", { type: "range", class: "scrubber", min: "0", step: "any", attributes: { "aria-label": "Moment of the recording" } });
  const seeker = new NewestOnly<number>(
    (moment) => studio.connection.request("seek", { time: moment }),
    (error) => studio.refused(error, slider),
  );
  slider.addEventListener("input", () => seeker.push(Number(slider.value)));
  // Who drags it wants the keys for the stage again; who came here by the keyboard stays.
  slider.addEventListener("pointerdown", () => {
    const release = new AbortController();
    for (const end of ["pointerup", "pointercancel"]) {
      addEventListener(end, () => (slider.blur(), release.abort()), { signal: release.signal });
    }
  });
  const length = h("span", { class: "quiet" });
  const crowd = h("span", { class: "quiet crowd" });
  const record = button({ icon: "record", title: "Record", class: "record", press: (b) => void toggleRecord(studio, b) });
  const bar = h("footer", { class: "timebar panel", attributes: { "aria-label": "Time" } });
  const scrub = h("div", { class: "scrub" }, slider, marks);
  bar.append(restart, back, play, step, speed, time, scrub, length, crowd, here, record);

  studio.scene.watch((scene) => {
    const replay = scene?.kind === "replay";
    for (const element of [back, scrub, length]) element.hidden = !replay;
    for (const element of [restart, here, record]) element.hidden = replay;
    const factors = replay ? [...SPEEDS.map((factor) => -factor).reverse(), ...SPEEDS] : SPEEDS;
    if (speed.childElementCount !== factors.length) {
      fill(speed, ...factors.map((factor) => h("option", { value: String(factor) }, speedFactor(factor))));
      speed.value = String(studio.state.value?.speed ?? 1);
    }
  });
  let playing: boolean | null = null;
  studio.state.watch((state) => {
    if (!state) return;
    if (state.playing !== playing) {
      playing = state.playing;
      play.replaceChildren(icon(playing ? "pause" : "play"));
      play.title = playing ? "Pause (Space)" : "Play (Space)";
      play.setAttribute("aria-label", playing ? "Pause" : "Play");
      bar.classList.toggle("paused", !playing);
    }
    time.textContent = clock(state.time);
    if (document.activeElement !== speed) speed.value = String(state.speed);
    if (state.end !== null) {
      slider.min = String(state.start ?? 0);
      slider.max = String(state.end);
      if (!slider.matches(":active")) slider.value = String(state.time);
      length.textContent = clock(state.end);
    }
    const slow = state.playing && Math.abs(state.pace) < 0.85 * Math.abs(state.speed) && state.end === null;
    crowd.textContent = slow ? `${people(state.people)} · at ${speedFactor(Number(state.pace.toFixed(2)))}` : people(state.people);
    crowd.title = slow ? "This machine cannot simulate so many people as fast as asked" : "";
    record.classList.toggle("on", state.recording !== null);
    record.title = state.recording ? `Stop recording to ${state.recording.file} (${state.recording.frames} frames)` : "Record beside the scene file";
    record.setAttribute("aria-label", state.recording ? "Stop recording" : "Record");
  });
  return bar;
}

export function togglePlay(studio: Studio): void {
  void studio.ask(studio.state.value?.playing ? "pause" : "play");
}

/** The next faster or slower of the speeds there are. */
export function changeSpeed(studio: Studio, direction: 1 | -1): void {
  const now = studio.state.value?.speed ?? 1;
  const all = studio.isReplay ? [...SPEEDS.map((factor) => -factor), ...SPEEDS] : SPEEDS;
  const candidates = all.filter((factor) => (factor - now) * direction > 1e-9).sort((a, b) => (a - b) * direction);
  if (candidates[0] !== undefined) void studio.ask("speed", { factor: candidates[0] });
}

async function toggleRecord(studio: Studio, near: Element): Promise<void> {
  const on = !studio.state.value?.recording;
  const reply = await studio.ask("record", { on }, near);
  if (!on && reply?.file) {
    studio.showMessage({ level: "info", text: `Recorded to ${reply.file}`, help: "Open it to play it forwards and backwards.", near });
  }
}
