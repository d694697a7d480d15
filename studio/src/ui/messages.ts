/** Short messages: beside the tool or the field they are about, or above the time bar. */
import type { Message, Near } from "../studio.ts";
import { button, h } from "./dom.ts";

const SECONDS = { info: 3, warning: 7, error: 8 };

export class Messages {
  readonly element = h("div", { class: "messages", attributes: { "aria-live": "polite" } });

  show(message: Message): void {
    const close = button({ icon: "close", title: "Close", class: "small", press: () => bubble.remove() });
    const bubble = h(
      "div",
      { class: `message ${message.level} panel`, attributes: { role: message.level === "error" ? "alert" : "status" } },
      h("div", {}, h("strong", {}, message.text), message.help ? h("p", {}, message.help) : null),
      close,
    );
    for (const old of this.element.querySelectorAll(".message")) {
      // The same words again are not news.
      if (old.textContent === bubble.textContent) old.remove();
    }
    this.element.append(bubble);
    while (this.element.childElementCount > 4) this.element.firstElementChild!.remove();
    const place = placeOf(message.near ?? null);
    if (place) {
      bubble.classList.add("placed");
      const { width, height } = bubble.getBoundingClientRect();
      const x = Math.min(innerWidth - width - 12, Math.max(12, place.x - width / 2));
      const above = place.y - height - 14;
      bubble.style.left = `${x}px`;
      bubble.style.top = `${above > 8 ? above : place.y + 22}px`;
    }
    let timer = setTimeout(() => bubble.remove(), SECONDS[message.level] * 1000);
    close.addEventListener("pointerenter", () => clearTimeout(timer));
    close.addEventListener("pointerleave", () => (timer = setTimeout(() => bubble.remove(), 2000)));
  }
}

function placeOf(near: Near): { x: number; y: number } | null {
  if (!near) return null;
  if (near instanceof Element) {
    const box = near.getBoundingClientRect();
    return box.width > 0 ? { x: box.left + box.width / 2, y: box.top } : null;
  }
  return near;
}
