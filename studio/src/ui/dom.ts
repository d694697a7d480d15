/** Elements of the page, made in one expression each. */
import { limited, rangeInWords, type Limits } from "../model/limits.ts";
import { icons, type IconName } from "./icons.ts";

type Child = Node | string | null | undefined | false;
type Properties<K extends keyof HTMLElementTagNameMap> = {
  class?: string;
  title?: string;
  on?: { [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E]) => void };
  attributes?: Record<string, string | number | boolean>;
} & Partial<Omit<HTMLElementTagNameMap[K], "style" | "className" | "title" | "attributes">>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties<K> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { class: className, title, on, attributes, ...rest } = properties;
  if (className) element.className = className;
  if (title) element.title = title;
  Object.assign(element, rest);
  for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, String(value));
  for (const [name, listener] of Object.entries(on ?? {})) element.addEventListener(name, listener as EventListener);
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

export function icon(name: IconName): Element {
  const template = document.createElement("template");
  template.innerHTML = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${icons[name]}</svg>`;
  return template.content.firstElementChild!;
}

export interface ButtonOptions {
  icon?: IconName;
  text?: string;
  title: string;
  key?: string;
  class?: string;
  press: (button: HTMLButtonElement) => void;
}

/** A button with an icon, words, or both; its key is told in its tooltip. */
export function button(options: ButtonOptions): HTMLButtonElement {
  const element = h(
    "button",
    {
      type: "button",
      class: `button ${options.text ? "" : "icon-only"} ${options.class ?? ""}`.trim(),
      title: options.key ? `${options.title} (${options.key})` : options.title,
      attributes: { "aria-label": options.title },
    },
    options.icon ? (icon(options.icon) as unknown as Node) : null,
    options.text ? h("span", {}, options.text) : null,
  );
  element.addEventListener("click", () => options.press(element));
  return element;
}

/** Puts these children in the place of those there are. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
}

/** The name of something, which can be typed anew. Where it cannot be renamed so, the old name is shown again. */
export function nameInput(what: string, name: string, rename: (to: string, field: HTMLElement) => Promise<boolean>, renamed: (to: string) => void): HTMLInputElement {
  const input = h("input", { type: "text", value: name, maxLength: 60, attributes: { "aria-label": `Name of the ${what}` } });
  input.addEventListener("change", () => {
    const to = input.value.trim();
    if (!to || to === name) return void (input.value = name);
    input.blur();
    void rename(to, input).then((made) => {
      if (made) renamed(to);
      else input.value = name;
    });
  });
  return input;
}

/** A number that is typed or stepped: committed when it is changed. One beyond its limits becomes the nearest that is not, and the field says so. */
export function numberField(
  options: Limits & {
    label: string;
    step: number;
    value: number;
    commit: (value: number, field: HTMLElement) => void;
  },
): { element: HTMLElement; set(value: number): void } {
  const { label, unit, min, max, step, value, commit } = options;
  const input = h("input", {
    type: "number",
    min: String(min),
    max: String(max),
    step: String(step),
    value: String(value),
    title: rangeInWords(options),
    attributes: { "aria-label": label },
  });
  const note = h("small", { class: "limit", hidden: true, attributes: { role: "status" } });
  let last = value;
  input.addEventListener("change", () => {
    const found = limited(input.value, options);
    note.textContent = found ? found.note : "Write a number";
    note.hidden = note.textContent === "";
    input.value = String(found?.value ?? last);
    if (!found || found.value === last) return;
    last = found.value;
    commit(last, input);
  });
  return {
    element: h("label", { class: "field" }, h("span", { title: label }, label), h("span", { class: "with-unit" }, input, h("em", {}, unit)), note),
    set: (to) => {
      last = to;
      if (document.activeElement !== input) input.value = String(to);
    },
  };
}

export function choice<T extends string>(options: {
  label: string;
  choices: { value: T; text: string }[];
  value: T;
  commit: (value: T, field: HTMLElement) => void;
}): { element: HTMLElement; set(value: T): void } {
  const select = h(
    "select",
    { attributes: { "aria-label": options.label } },
    ...options.choices.map(({ value, text }) => h("option", { value }, text)),
  );
  select.value = options.value;
  select.addEventListener("change", () => options.commit(select.value as T, select));
  return {
    element: h("label", { class: "field" }, h("span", {}, options.label), select),
    set: (value) => {
      select.value = value;
    },
  };
}
