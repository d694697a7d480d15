/** The scene: its name and file, undo and redo, views and overlays. */
import { OVERLAYS, OVERLAY_KEYS, type Overlay } from "../model/view-url.ts";
import { shownFloors } from "../model/floors.ts";
import { countOf } from "../model/patterns.ts";
import { BODY_LEVELS, type BodyLevel, type Studio } from "../studio.ts";
import { button, fill, h, icon } from "./dom.ts";
import type { IconName } from "./icons.ts";

export interface TopbarActions {
  newScene(): void;
  open(): void;
  save(near: Element): void;
  saveAs(): void;
  showText(): void;
  frameAll(): void;
  topView(): void;
  nextView(): void;
  screenshot(): void;
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
  const file = h("span", { class: "quiet file" });
  const title = h("div", { class: "scene-title" }, name, file);
  const fresh = button({ icon: "file", title: "New scene …", press: actions.newScene });
  const open = button({ icon: "folder", title: "Open …", key: "Ctrl+O", press: actions.open });
  const save = button({ icon: "save", title: "Save", key: "Ctrl+S", press: actions.save });
  const saveAs = button({ icon: "more", title: "Save as …", key: "Ctrl+Shift+S", press: actions.saveAs });
  const text = button({ icon: "text", title: "The scene as text", press: actions.showText });
  const undo = button({ icon: "undo", title: "Undo", key: "Ctrl+Z", press: (b) => void studio.ask("undo", {}, b) });
  const redo = button({ icon: "redo", title: "Redo", key: "Ctrl+Shift+Z", press: (b) => void studio.ask("redo", {}, b) });
  undo.id = "undo";
  redo.id = "redo";
  const report = reportLink();
  // A recording of an evaluation is opened from its report, and nothing else is.
  if (report) fresh.hidden = open.hidden = true;
  const left = h("header", { class: "topbar panel" }, report, title, fresh, open, save, saveAs, text, h("i", { class: "rule" }), undo, redo);

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
  studio.patterns.watch((patterns) => {
    const [element, found] = [overlays.get("patterns")!, countOf(patterns)];
    if (found > 0) element.dataset["count"] = found > 99 ? "99+" : String(found);
    else delete element.dataset["count"];
    element.setAttribute("aria-label", found > 0 ? `${OVERLAY_TITLES.patterns}; ${found} found` : OVERLAY_TITLES.patterns);
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
  bodies.addEventListener("change", () => studio.bodyLevel.set(bodies.value as BodyLevel));
  studio.bodyLevel.watch((level) => (bodies.value = level));
  const clothes = button({ icon: "clothes", title: "Clothes of their own instead of the group's colour", key: "U", press: () => studio.ownClothes.set(!studio.ownClothes.value) });
  studio.ownClothes.watch((on) => {
    clothes.classList.toggle("chosen", on);
    clothes.setAttribute("aria-pressed", String(on));
  });
  const noticed = button({ icon: "noticed", title: "Look at me: people near the camera notice it", key: "M", press: (b) => studio.toggleNoticed(b) });
  noticed.id = "noticed";
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
    button({ icon: "camera", title: "Save a picture", key: "K", press: actions.screenshot }),
    button({ icon: "film", title: "Save pictures one by one …", press: actions.exportImages }),
    button({ icon: "share", title: "Copy a link to this view", press: actions.share }),
    theme,
    button({ icon: "help", title: "All keys", key: "?", press: actions.help }),
  );

  studio.scene.watch((scene) => {
    if (!scene) return;
    name.textContent = scene.name || "Untitled";
    title.title = scene.description;
    file.textContent = scene.kind === "replay" ? `${scene.file ?? ""} · recording` : scene.file ? (scene.saved ? scene.file : `${scene.file} · edited`) : "not saved";
    document.title = `${scene.saved || scene.kind === "replay" ? "" : "• "}${scene.name || "Untitled"} – Throng studio`;
    for (const element of [save, saveAs, undo, redo]) element.hidden = scene.kind === "replay";
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
