/** The scene: its name and file, undo and redo, views and overlays. */
import { OVERLAYS, OVERLAY_KEYS, type Overlay } from "../model/view-url.ts";
import { notable } from "../model/findings.ts";
import { shownFloors } from "../model/floors.ts";
import { BODY_LEVELS, type BodyLevel, type Studio } from "../studio.ts";
import { collapseButton } from "./collapse.ts";
import { button, fill, h, icon } from "./dom.ts";
import type { IconName } from "./icons.ts";
import { menu } from "./menu.ts";

export interface TopbarActions {
  newScene(): void;
  open(): void;
  save(near: Element): void;
  saveAs(): void;
  showText(): void;
  settings(): void;
  frameAll(): void;
  topView(): void;
  nextView(): void;
  screenshot(): void;
  saveSized(): void;
  exportImages(): void;
  share(near: Element): void;
  help(): void;
}

/** The value of the floor chooser that draws all. */
const ALL_FLOORS = "all";

export const OVERLAY_TITLES: Record<Overlay, string> = {
  density: "Crowding: people per square metre",
  speed: "Colours by speed",
  trails: "Trails of the last seconds",
  ways: "Navigation map: the ways there are",
  flow: "Where the arrows lead",
  levels: "Colours by level of detail",
  patterns: "Patterns: who sways, gets stuck or spins",
};

export function topbar(studio: Studio, actions: TopbarActions): HTMLElement {
  const name = h("strong", { class: "scene-name" }, "Throng studio");
  const fileName = h("span", { class: "quiet file" });
  const title = h("div", { class: "scene-title" }, name, fileName);
  const save = button({ icon: "save", title: "Save", key: "Ctrl+S", press: actions.save });
  const file = menu({
    name: "File",
    title: "New, open, save as, text",
    items: [
      { icon: "file", title: "New scene …", press: actions.newScene },
      { icon: "folder", title: "Open …", key: "Ctrl+O", press: actions.open },
      { icon: "save", title: "Save as …", key: "Ctrl+Shift+S", press: actions.saveAs },
      { icon: "text", title: "The scene as text", press: actions.showText },
      { icon: "settings", title: "Scene settings …", press: actions.settings },
    ],
  });
  const [fresh, open, saveAs, , settings] = file.items as [HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement];
  const undo = button({ icon: "undo", title: "Undo", key: "Ctrl+Z", press: (b) => void studio.ask("undo", {}, b) });
  const redo = button({ icon: "redo", title: "Redo", key: "Ctrl+Shift+Z", press: (b) => void studio.ask("redo", {}, b) });
  undo.id = "undo";
  redo.id = "redo";
  const report = reportLink();
  // A recording of an evaluation is opened from its report, and nothing else is.
  if (report) fresh.hidden = open.hidden = true;
  const left = h("header", { class: "topbar panel" }, report, title, file.element, save, undo, redo);

  const overlays = new Map<Overlay, HTMLButtonElement>();
  const view = h("div", { class: "viewbar panel", attributes: { role: "toolbar", "aria-label": "View" } });
  const floors = h("select", { class: "floors", title: "Floors that are drawn: all, or none above the chosen one (Page Up, Page Down)", attributes: { "aria-label": "Floor" } });
  floors.addEventListener("change", () => studio.floor.set(floors.value === ALL_FLOORS ? null : Number(floors.value)));
  view.append(floors);
  OVERLAYS.forEach((overlay) => {
    const element = button({ icon: overlay as IconName, title: OVERLAY_TITLES[overlay], key: OVERLAY_KEYS[overlay], press: () => studio.toggleOverlay(overlay) });
    element.dataset["overlay"] = overlay;
    overlays.set(overlay, element);
    view.append(element);
  });
  studio.findings.watch((all) => {
    const [element, found] = [overlays.get("patterns")!, notable(all)];
    const count = found.length;
    if (count > 0) element.dataset["count"] = count > 99 ? "99+" : String(count);
    else delete element.dataset["count"];
    element.dataset["severity"] = found[0]?.severity ?? "";
    element.setAttribute("aria-label", count > 0 ? `${OVERLAY_TITLES.patterns}; at ${count} ${count === 1 ? "place" : "places"}` : OVERLAY_TITLES.patterns);
  });
  const views = button({ icon: "view", title: "Views that the scene suggests", key: "9", press: actions.nextView });
  views.id = "views";
  const gauge = button({ icon: "gauge", title: "Performance", key: "6", press: () => studio.performance.set(!studio.performance.value) });
  const theme = button({ icon: "moon", title: "Light or dark", key: "L", press: () => studio.theme.set(studio.theme.value === "light" ? "dark" : "light") });
  const cut = button({ icon: "cut", title: "Cut walls low, to look into rooms", key: "X", press: () => studio.cutWalls.set(!studio.cutWalls.value) });
  studio.cutWalls.watch((on) => cut.classList.toggle("chosen", on));
  const bodies = h(
    "select",
    { class: "bodies", title: "Who is drawn with a body (Y)", attributes: { "aria-label": "Bodies" } },
    ...BODY_LEVELS.map((level) => h("option", { value: level }, `Bodies: ${level}`)),
  );
  bodies.addEventListener("change", () => {
    studio.bodyLevel.set(bodies.value as BodyLevel);
    // Keys are for the stage again.
    bodies.blur();
  });
  studio.bodyLevel.watch((level) => (bodies.value = level));
  const clothes = button({ icon: "clothes", title: "Tops in the colours of groups", key: "U", press: () => studio.groupColors.set(!studio.groupColors.value) });
  studio.groupColors.watch((on) => {
    clothes.classList.toggle("chosen", on);
    clothes.setAttribute("aria-pressed", String(on));
  });
  const noticed = button({ icon: "noticed", title: "Look at me: people near the camera notice it", key: "M", press: (b) => studio.toggleNoticed(b) });
  noticed.id = "noticed";
  clothes.id = "group-colors";
  studio.noticed.watch((on) => {
    noticed.classList.toggle("chosen", on);
    noticed.setAttribute("aria-pressed", String(on));
  });
  view.append(
    gauge,
    cut,
    bodies,
    clothes,
    noticed,
    h("i", { class: "rule" }),
    button({ icon: "frame", title: "Show all", key: "Home", press: actions.frameAll }),
    button({ icon: "top", title: "Plan: straight from above", key: "T", press: actions.topView }),
    views,
    h("i", { class: "rule" }),
    menu({
      name: "Picture",
      icon: "camera",
      title: "Save pictures, copy a link",
      items: [
        { icon: "camera", title: "Save a picture", key: "K", press: actions.screenshot },
        { icon: "camera", title: "Save a picture in a size …", press: actions.saveSized },
        { icon: "film", title: "Save pictures one by one …", press: actions.exportImages },
        { icon: "noticed", title: "Presentation: hide the interface", key: "O", press: () => studio.presenting.set(true) },
        { icon: "share", title: "Copy a link to this view", press: actions.share },
      ],
    }).element,
    theme,
    button({ icon: "help", title: "All keys", key: "?", press: actions.help }),
  );
  view.prepend(collapseButton(view, "view", "View"));

  studio.scene.watch((scene) => {
    if (!scene) return;
    name.textContent = scene.name || "Untitled";
    title.title = scene.description;
    fileName.textContent = scene.kind === "replay" ? `${scene.file ?? ""} · recording` : scene.file ? (scene.saved ? scene.file : `${scene.file} · edited`) : "not saved";
    document.title = `${scene.saved || scene.kind === "replay" ? "" : "• "}${scene.name || "Untitled"} – Throng studio`;
    for (const element of [save, saveAs, settings, undo, redo]) element.hidden = scene.kind === "replay";
    save.classList.toggle("due", !scene.saved);
    undo.disabled = scene.undo === null;
    redo.disabled = scene.redo === null;
    undo.title = scene.undo === null ? "Nothing to undo" : `Undo: ${scene.undo} (Ctrl+Z)`;
    redo.title = scene.redo === null ? "Nothing to redo" : `Redo: ${scene.redo} (Ctrl+Shift+Z)`;
    floors.hidden = scene.layers.length < 2;
    views.hidden = scene.cameras.length === 0;
    fill(floors, ...shownFloors(scene, null).map((i) => h("option", { value: String(i) }, scene.layers[i]!.name)), h("option", { value: ALL_FLOORS }, "All floors"));
    floors.value = String(studio.floor.value ?? ALL_FLOORS);
  });
  studio.floor.onChange((floor) => (floors.value = String(floor ?? ALL_FLOORS)));
  studio.overlays.watch((on) => {
    for (const [overlay, element] of overlays) {
      element.classList.toggle("chosen", on.has(overlay));
      element.setAttribute("aria-pressed", String(on.has(overlay)));
    }
  });
  studio.performance.watch((on) => gauge.classList.toggle("chosen", on));
  return h("div", { class: "top" }, left, view);
}

/** The way back to the report that a recording was opened from; `null` if it was not. */
function reportLink(): HTMLElement | null {
  const given = new URLSearchParams(location.search);
  if (given.get("recording") === null) return null;
  const token = given.get("token");
  const link = h("a", { class: "button report-link", href: token === null ? "./" : `./?token=${encodeURIComponent(token)}`, title: "Back to the report of the evaluation" });
  link.append(icon("report"), h("span", {}, "Report"));
  return link;
}
