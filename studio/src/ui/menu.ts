/** A button with a name that opens a list of actions. Arrow keys move in the list, Esc or a click elsewhere closes it. */
import { button, h, type ButtonOptions } from "./dom.ts";
import type { IconName } from "./icons.ts";

export interface MenuItem extends Omit<ButtonOptions, "text" | "press"> {
  press(near: Element): void;
}

export interface Menu {
  /** The button in its bar; the list belongs to the page and lies above everything. */
  element: HTMLButtonElement;
  items: HTMLButtonElement[];
}

export function menu(options: { name: string; icon?: IconName; title: string; items: MenuItem[] }): Menu {
  const list = h("div", { class: "menu panel", popover: "auto", attributes: { role: "menu", "aria-label": options.name } });
  const element = button({
    ...(options.icon ? { icon: options.icon } : {}),
    text: options.name,
    title: options.title,
    // The browser opens and closes the list.
    press: () => {},
  });
  element.setAttribute("aria-label", options.name);
  element.setAttribute("aria-haspopup", "menu");
  element.popoverTargetElement = list;
  element.popoverTargetAction = "toggle";
  const items = options.items.map((item) => {
    const row = button({
      ...item,
      text: item.title,
      class: "row",
      press: () => {
        list.hidePopover();
        item.press(element);
      },
    });
    row.setAttribute("role", "menuitem");
    row.removeAttribute("title");
    if (item.key) row.append(h("kbd", {}, item.key));
    return row;
  });
  list.append(...items);
  list.addEventListener("toggle", (event) => {
    const open = (event as ToggleEvent).newState === "open";
    element.setAttribute("aria-expanded", String(open));
    if (!open) return;
    const { left, bottom } = element.getBoundingClientRect();
    list.style.left = `${Math.max(8, Math.min(left, innerWidth - list.offsetWidth - 8))}px`;
    list.style.top = `${bottom + 6}px`;
    items.find(isUsable)?.focus();
  });
  list.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const usable = items.filter(isUsable);
    const at = usable.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    usable.at(to % usable.length)?.focus();
  });
  document.body.append(list);
  return { element, items };
}

const isUsable = (item: HTMLButtonElement): boolean => !item.hidden && !item.disabled;
