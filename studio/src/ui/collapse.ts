/** A button that folds a panel away, down to the button itself. The browser remembers it; until somebody chooses, panels of small windows are folded. */
import { recall, remember } from "../model/remembered.ts";
import { button } from "./dom.ts";

/** Windows so small leave no room for panels beside the stage. */
const SMALL = "(width < 760px), (height < 560px)";

export function collapseButton(panel: HTMLElement, name: string, title: string): HTMLButtonElement {
  const small = matchMedia(SMALL);
  const isOpen = () => (recall(`panel.${name}`) ?? (small.matches ? "off" : "on")) === "on";
  const element = button({
    icon: "fold",
    text: title,
    title,
    class: "collapse",
    press: () => {
      const open = panel.classList.contains("collapsed");
      remember(`panel.${name}`, open ? "on" : "off");
      show(open);
    },
  });
  const show = (open: boolean) => {
    panel.classList.toggle("collapsed", !open);
    element.setAttribute("aria-expanded", String(open));
    element.title = open ? `Fold ${title.toLowerCase()} away` : `Show ${title.toLowerCase()}`;
  };
  small.addEventListener("change", () => show(isOpen()));
  show(isOpen());
  return element;
}
