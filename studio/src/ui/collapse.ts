/** A button that folds a panel away, down to the button itself. The browser remembers it. */
import { rememberedSwitch } from "../model/remembered.ts";
import { button } from "./dom.ts";

/** Windows so small leave no room for panels beside the stage: they begin folded. */
const SMALL = "(width < 760px), (height < 560px)";

export function collapseButton(panel: HTMLElement, name: string, title: string): HTMLButtonElement {
  const open = rememberedSwitch(`panel.${name}`, !matchMedia(SMALL).matches);
  const element = button({ icon: "fold", text: title, title, class: "collapse", press: () => open.set(!open.value) });
  open.watch((isOpen) => {
    panel.classList.toggle("collapsed", !isOpen);
    element.setAttribute("aria-expanded", String(isOpen));
    element.title = isOpen ? `Fold ${title.toLowerCase()} away` : `Show ${title.toLowerCase()}`;
  });
  return element;
}
