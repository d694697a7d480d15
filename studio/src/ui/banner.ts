/** What is wrong with the line to the server: that the picture is an old one, why there will be none, or which edits the server has lost. */
import { saveText } from "../export.ts";
import { clock } from "../model/words.ts";
import type { UnsavedEdits } from "../model/unsaved.ts";
import type { Studio } from "../studio.ts";
import { button, fill, h } from "./dom.ts";

export function banner(studio: Studio): HTMLElement {
  const { connection, unsaved } = studio;
  const element = h("div", { class: "banner panel", hidden: true, attributes: { role: "status" } });
  const words = h("span");
  const tell = () => {
    const status = connection.status.value;
    if (status.kind !== "lost") return;
    const seconds = Math.max(0, Math.ceil((status.retryAt - Date.now()) / 1000));
    words.textContent = seconds > 0 ? `Next try in ${seconds} s` : "Trying again …";
  };
  const toFile = (edits: UnsavedEdits, done: () => void = () => {}) =>
    button({
      text: "Save to a file",
      title: "Save the scene with these edits among the downloads of the browser",
      press: () => {
        saveText(edits.text, edits.file ?? "scene.toml");
        done();
      },
    });
  const show = () => {
    const [status, kept, lost] = [connection.status.value, unsaved.kept.value, unsaved.lost.value];
    document.body.classList.toggle("offline", status.kind === "lost");
    element.hidden = !(status.kind === "refused" || status.kind === "lost" || (status.kind === "open" && lost));
    element.dataset["kind"] = status.kind;
    if (status.kind === "refused") {
      fill(element, h("span", {}, status.reason), button({ text: "Load the page again", title: "Load the page again", press: () => location.reload() }));
    } else if (status.kind === "lost") {
      const time = studio.timeline.newest?.time;
      fill(
        element,
        h("i", { class: "spinner" }),
        h("div", {}, h("strong", {}, "The server does not answer"), h("p", {}, `${time === undefined ? "" : `This is its last picture, at ${clock(time)}. `}Nothing can be changed now. `, words)),
        button({ text: "Try now", title: "Try now", press: () => connection.retryNow() }),
        kept && toFile(kept),
      );
      tell();
    } else if (lost) {
      const file = lost.file ?? "the scene";
      const isSame = studio.scene.value?.kind === "live" && studio.scene.value.file === lost.file;
      const forget = () => unsaved.lost.set(null);
      const resend = async (pressed: HTMLButtonElement) => {
        pressed.disabled = true;
        const done = await studio.ask("replace", { label: "Send unsaved edits again", text: lost.text }, pressed);
        pressed.disabled = false;
        if (done) forget();
      };
      fill(
        element,
        h("div", {}, h("strong", {}, `The server was started anew, without the unsaved edits of ${file}`), h("p", {}, "This page has kept them.")),
        isSame && button({ text: "Send them again", title: "Make the scene what it was; undo takes it back", class: "primary", press: (pressed) => void resend(pressed) }),
        toFile(lost, forget),
        button({ icon: "close", title: "Forget these edits", class: "small", press: forget }),
      );
    }
  };
  for (const source of [connection.status, unsaved.kept, unsaved.lost, studio.scene]) source.watch(show);
  setInterval(tell, 500);
  return element;
}
