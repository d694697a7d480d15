/** What is wrong with the line to the server: a quiet banner, or why there will be none. */
import type { Connection } from "../connection.ts";
import { button, fill, h } from "./dom.ts";

export function banner(connection: Connection): HTMLElement {
  const element = h("div", { class: "banner panel", hidden: true, attributes: { role: "status" } });
  const words = h("span");
  const tell = () => {
    const status = connection.status.value;
    if (status.kind !== "lost") return;
    const seconds = Math.max(0, Math.ceil((status.retryAt - Date.now()) / 1000));
    words.textContent = seconds > 0 ? `The server does not answer. Next try in ${seconds} s` : "The server does not answer. Trying again …";
  };
  connection.status.watch((status) => {
    document.body.classList.toggle("offline", status.kind === "lost");
    element.hidden = status.kind === "open" || status.kind === "connecting";
    if (status.kind === "refused") {
      fill(element, h("span", {}, status.reason), button({ text: "Load the page again", title: "Load the page again", press: () => location.reload() }));
    } else if (status.kind === "lost") {
      fill(element, h("i", { class: "spinner" }), words, button({ text: "Try now", title: "Try now", press: () => connection.retryNow() }));
      tell();
    }
  });
  setInterval(tell, 500);
  return element;
}
