/** Questions that need more than a click: which file, which name, how many pictures. */
import { RequestError } from "../connection.ts";
import type { FilmOptions, PictureLook, PictureSize } from "../export.ts";
import type { Studio } from "../studio.ts";
import { button, fill, h } from "./dom.ts";
import { fileNote, sceneFileName } from "../model/names.ts";
import { KEYS } from "./keys.ts";

/** A dialog of the browser: Esc closes it, focus stays in it, and it is gone when it is closed. */
export function dialog(title: string, ...content: (Node | string)[]): HTMLDialogElement {
  const element = h(
    "dialog",
    { class: "panel" },
    h("header", {}, h("h2", {}, title), button({ icon: "close", title: "Close", key: "Esc", class: "small", press: () => element.close() })),
    ...content,
  );
  element.addEventListener("close", () => element.remove());
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  document.body.append(element);
  element.showModal();
  // The browser gives the focus to the first button, whose tooltip would cover the text: it closes the dialog.
  element.tabIndex = -1;
  (element.querySelector<HTMLElement>(":scope > :not(header) :is(input, select, textarea, button)") ?? element).focus();
  return element;
}

/** A box, checked, which saves what is edited before another scene takes its place; nothing if all is saved. */
function saveFirst(studio: Studio): { element: Node | string; saved: () => Promise<boolean> } {
  const scene = studio.scene.value;
  if (!scene || scene.saved || scene.kind !== "live") return { element: "", saved: () => Promise.resolve(true) };
  const box = h("input", { type: "checkbox", checked: true });
  const element = h("label", { class: "note warning save-first" }, box, ` Save the edits of ${scene.file} first; without, they are lost`);
  return { element, saved: async () => !box.checked || (await studio.ask("save", {})) !== undefined };
}

export async function openDialog(studio: Studio): Promise<void> {
  const files = await studio.ask("files");
  if (!files) return;
  const first = saveFirst(studio);
  const open = async (name: string) => {
    if (!(await first.saved())) return;
    studio.connection.request("open", { name }).catch((error: unknown) => {
      if (error instanceof RequestError && error.mistakes.length > 0) mistakesDialog(name, error);
      else studio.refused(error);
    });
  };
  const list = (title: string, names: string[], empty: string) => {
    const entries = names.map((name) =>
      h(
        "li",
        {},
        button({
          icon: title === "Scenes" ? "file" : "film",
          text: name,
          title: `Open ${name}`,
          class: "row",
          press: () => {
            shown.close();
            void open(name);
          },
        }),
      ),
    );
    return h("div", {}, h("h3", {}, title), names.length > 0 ? h("ul", { class: "files" }, ...entries) : h("p", { class: "note" }, empty));
  };
  const shown = dialog(
    "Open",
    first.element,
    h("div", { class: "columns" }, list("Scenes", files.scenes, "There are none beside this one."), list("Recordings", files.recordings, "Press the record button to make one.")),
  );
}

/** All that is wrong with a scene file: the place, what is wrong, and what to write instead. */
function mistakesDialog(name: string, { mistakes, more }: RequestError): void {
  const total = mistakes.length + more;
  const rows = mistakes.map(({ file, line, column, message, help }) =>
    h("li", {}, h("code", {}, `${file || name}:${line}:${column}`), h("div", {}, h("strong", {}, message), help ? h("p", {}, help) : null)),
  );
  const rest = more > 0 ? h("p", { class: "note" }, `and ${more} more`) : "";
  const intro = h("p", { class: "note" }, `${total === 1 ? "A mistake keeps" : `${total} mistakes keep`} it from being opened. What was shown goes on.`);
  dialog(`${name} cannot be read`, intro, h("ol", { class: "mistakes", attributes: { "aria-label": "Mistakes" } }, ...rows), rest).classList.add("wide");
}

export function newDialog(studio: Studio): void {
  const first = saveFirst(studio);
  const begin = async (name: string) => (await first.saved()) && (await studio.ask("new", { name })) !== undefined;
  nameDialog("New scene", "untitled.toml", "Begin", begin, first.element);
}

export function saveAsDialog(studio: Studio): void {
  const scene = studio.scene.value;
  let refused = "";
  nameDialog("Save as", scene?.file ?? "scene.toml", "Save", async (name, note) => {
    try {
      const { file } = await studio.connection.request("save_as", { name, overwrite: refused === name });
      studio.showMessage({ level: "info", text: `Saved as ${file}` });
      return true;
    } catch (error) {
      refused = name;
      note.textContent = `${error instanceof Error ? error.message : String(error)}. Press Save once more to write over it.`;
      return false;
    }
  });
}

function nameDialog(title: string, proposal: string, verb: string, done: (name: string, note: HTMLElement) => Promise<boolean>, more: Node | string = ""): void {
  const input = h("input", { type: "text", value: proposal, required: true, attributes: { "aria-label": "File name" } });
  const note = h("p", { class: "note warning" });
  const ending = h("p", { class: "note" });
  const tellEnding = () => (ending.textContent = fileNote(input.value));
  input.addEventListener("input", tellEnding);
  tellEnding();
  const form = h(
    "form",
    { method: "dialog" },
    h("label", { class: "field" }, h("span", {}, "File name"), input),
    ending,
    more,
    note,
    h("div", { class: "actions" }, h("button", { type: "submit", class: "button primary" }, verb)),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = sceneFileName(input.value);
    if (name) void done(name, note).then((ok) => ok && shown.close());
  });
  const shown = dialog(title, form);
  input.focus();
  input.setSelectionRange(0, proposal.lastIndexOf(".") > 0 ? proposal.lastIndexOf(".") : proposal.length);
}

export async function textDialog(studio: Studio): Promise<void> {
  const reply = await studio.ask("text");
  if (!reply) return;
  const copy = button({
    text: "Copy",
    title: "Copy the text",
    press: (b) => {
      void navigator.clipboard?.writeText(reply.text).then(() => fill(b, "Copied"));
    },
  });
  dialog("The scene as text", h("pre", { class: "scene-text", tabIndex: 0 }, reply.text), h("div", { class: "actions" }, copy)).classList.add("wide");
}

export function helpDialog(): void {
  const blocks = KEYS.map(({ title, keys }) =>
    h("div", {}, h("h3", {}, title), h("dl", {}, ...keys.flatMap(([key, what]) => [h("dt", {}, ...key.split(" ").map((part) => h("kbd", {}, part))), h("dd", {}, what)]))),
  );
  dialog("Keys", h("div", { class: "keys" }, ...blocks)).classList.add("wide");
}

/** Fields for the size and the look of pictures, at most `longest` pixels to a side. */
function pictureFields(sizes: readonly PictureSize[], longest: number): { elements: Node[]; size: () => PictureSize; look: () => PictureLook } {
  const field = (label: string, value: number) =>
    h("input", { type: "number", value: String(value), min: "16", max: String(longest), step: "1", required: true, title: `From 16 to ${longest} pixels, the most that this browser draws`, attributes: { "aria-label": label } });
  const [width, height] = [field("Width", sizes[0]!.width), field("Height", sizes[0]!.height)];
  const plain = h("input", { type: "checkbox", checked: true });
  const captioned = h("input", { type: "checkbox", checked: true });
  const presets = sizes.map((size) =>
    button({
      text: `${size.width} × ${size.height}`,
      title: `${size.width} × ${size.height} pixels`,
      press: () => {
        width.value = String(size.width);
        height.value = String(size.height);
      },
    }),
  );
  const elements = [
    h("div", { class: "actions" }, ...presets),
    h("label", { class: "field" }, h("span", {}, "Width"), h("span", { class: "with-unit" }, width, h("em", {}, "px"))),
    h("label", { class: "field" }, h("span", {}, "Height"), h("span", { class: "with-unit" }, height, h("em", {}, "px"))),
    h("label", { class: "watching" }, plain, h("span", {}, "Without grid, regions, arrows and selection")),
    h("label", { class: "watching" }, captioned, h("span", {}, "With the moment, names and a legend")),
  ];
  return {
    elements,
    size: () => ({ width: Number(width.value), height: Number(height.value) }),
    look: () => ({ plain: plain.checked, captioned: captioned.checked }),
  };
}

/** Asks how large a picture shall be and what it shows; `save` makes it. */
export function pictureDialog(sizes: readonly PictureSize[], longest: number, save: (size: PictureSize, look: PictureLook) => Promise<void>): void {
  const fields = pictureFields(sizes, longest);
  const form = h(
    "form",
    { method: "dialog" },
    h("p", { class: "note" }, "A PNG picture of this view, as high as the window shows it, in any size."),
    ...fields.elements,
    h("div", { class: "actions" }, h("button", { type: "submit", class: "button primary" }, "Save")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    form.querySelector<HTMLButtonElement>("[type=submit]")!.disabled = true;
    void save(fields.size(), fields.look()).finally(() => shown.close());
  });
  const shown = dialog("Save a picture in a size", form);
}

/** Asks how many pictures, how large, and what they show; `begin` makes them, tells how far it is, and stops when it is aborted. */
export function exportDialog(
  sizes: readonly PictureSize[],
  longest: number,
  begin: (options: FilmOptions, progress: (fraction: number) => void, stop: AbortSignal) => Promise<void>,
): void {
  const seconds = h("input", { type: "number", value: "5", min: "0.1", max: "600", step: "0.1", attributes: { "aria-label": "Seconds" } });
  const rate = h("input", { type: "number", value: "25", min: "1", max: "60", step: "1", attributes: { "aria-label": "Pictures per second" } });
  const fields = pictureFields(sizes, longest);
  const bar = h("progress", { max: 1, value: 0, hidden: true });
  const stop = new AbortController();
  const form = h(
    "form",
    { method: "dialog" },
    h("p", { class: "note" }, "A ZIP file of PNG pictures from this view, one for each moment, however long each takes to draw."),
    h("label", { class: "field" }, h("span", {}, "Simulated time"), h("span", { class: "with-unit" }, seconds, h("em", {}, "s"))),
    h("label", { class: "field" }, h("span", {}, "Pictures"), h("span", { class: "with-unit" }, rate, h("em", {}, "/s"))),
    ...fields.elements,
    bar,
    h("div", { class: "actions" }, h("button", { type: "submit", class: "button primary" }, "Export")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    bar.hidden = false;
    form.querySelector<HTMLButtonElement>("[type=submit]")!.disabled = true;
    const options = { seconds: Number(seconds.value), rate: Number(rate.value), size: fields.size(), ...fields.look() };
    void begin(options, (fraction) => (bar.value = fraction), stop.signal).finally(() => shown.close());
  });
  const shown = dialog("Save pictures one by one", form);
  shown.addEventListener("close", () => stop.abort());
}
