/**
 * Tooltips that appear at once, under the pointer and under the keyboard's focus. Elements say what they are by `title` as ever; when one is
 * pointed at, its title is moved to `data-tip`, so that the browser does not show its own tooltip a second later as well.
 */
import { h } from "./dom.ts";

/** Pixels between an element and its tooltip, and between a tooltip and the edge of the window. */
const GAP = 7;
const TIP_ID = "tooltip";

export function installTooltips(): void {
  // A popover lies above dialogs and menus.
  const tip = h("div", { id: TIP_ID, class: "tooltip", popover: "manual", attributes: { role: "tooltip" } });
  document.body.append(tip);
  let shown: HTMLElement | null = null;

  const hide = () => {
    if (!shown) return;
    shown.removeAttribute("aria-describedby");
    shown = null;
    tip.hidePopover();
  };
  const show = (target: EventTarget | null) => {
    const element = target instanceof Element ? target.closest<HTMLElement>("[title], [data-tip]") : null;
    if (element === shown && !element?.title) return;
    hide();
    if (!element) return;
    if (element.title) {
      element.dataset["tip"] = element.title;
      element.removeAttribute("title");
    }
    const words = element.dataset["tip"];
    // A menu that is open says more.
    if (!words || (element.ariaHasPopup && element.ariaExpanded === "true")) return;
    shown = element;
    element.setAttribute("aria-describedby", TIP_ID);
    tip.textContent = words;
    tip.showPopover();
    place(tip, element.getBoundingClientRect());
  };

  document.addEventListener("pointerover", (event) => event.pointerType !== "touch" && show(event.target));
  document.addEventListener("pointerdown", hide);
  document.addEventListener("focusin", ({ target }) => {
    // Not at once: a menu or a dialog that closes gives the focus back, and meanwhile no popover may be shown.
    setTimeout(() => target === document.activeElement && document.activeElement?.matches(":focus-visible") && show(target));
  });
  document.addEventListener("focusout", hide);
  document.documentElement.addEventListener("pointerleave", hide);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  // What is pointed at may go, and its tooltip with it.
  setInterval(() => shown && !shown.checkVisibility() && hide(), 250);
}

/** Below the element, or above it where there is no room; and within the window. */
function place(tip: HTMLElement, { left, top, bottom, width }: DOMRect): void {
  const { offsetWidth, offsetHeight } = tip;
  const x = Math.max(GAP, Math.min(innerWidth - offsetWidth - GAP, left + width / 2 - offsetWidth / 2));
  const below = bottom + GAP;
  tip.style.left = `${x}px`;
  tip.style.top = `${below + offsetHeight < innerHeight ? below : top - offsetHeight - GAP}px`;
}
