/** Puts the page together. */
import "./style.css";
import "./patterns.css";
import "./layout.css";
import { Connection, socketUrl } from "./connection.ts";
import { PICTURE_SIZES, exportImages, longestSide, saveSized, screenshot } from "./export.ts";
import { recall, remember } from "./model/remembered.ts";
import { viewToHash } from "./model/view-url.ts";
import { followAddress, showPattern, stepPattern, stepPerson } from "./moments.ts";
import type { FoundPattern } from "./protocol.ts";
import { Studio } from "./studio.ts";
import { installTestHook } from "./test-hook.ts";
import { KeyboardCursor } from "./tools/cursor.ts";
import { deleteSelected } from "./tools/select.ts";
import { Toolbox } from "./tools/toolbox.ts";
import type { ToolContext } from "./tools/tool.ts";
import { banner } from "./ui/banner.ts";
import { collapseButton } from "./ui/collapse.ts";
import { cursorPanel } from "./ui/cursor-panel.ts";
import { exportDialog, helpDialog, newDialog, openDialog, pictureDialog, saveAsDialog, textDialog } from "./ui/dialogs.ts";
import { button, h } from "./ui/dom.ts";
import { hiddenPeopleNote } from "./ui/floor-note.ts";
import { groupsPanel } from "./ui/groups-panel.ts";
import { hints } from "./ui/hints.ts";
import { legends } from "./ui/legends.ts";
import { listenToKeys } from "./ui/keys.ts";
import { Messages } from "./ui/messages.ts";
import { levelsLegend, performancePanel } from "./ui/performance-panel.ts";
import { patternMarks } from "./ui/pattern-marks.ts";
import { patternsPanel } from "./ui/patterns-panel.ts";
import { selectionPanel } from "./ui/selection-panel.ts";
import { settingsDialog } from "./ui/settings-dialog.ts";
import { timebar } from "./ui/timebar.ts";
import { toolbar } from "./ui/toolbar.ts";
import { installTooltips } from "./ui/tooltip.ts";
import { topbar } from "./ui/topbar.ts";
import type { Theme } from "./view/palette.ts";
import { World } from "./view/world.ts";
import { watchBodies, watchFlow, watchPerson, watchSkating, watchWays } from "./watchers.ts";

const RATE = 30;
/** A page that nobody looks at needs few frames. */
const HIDDEN_RATE = 1;

function start(): void {
  const studio = new Studio(new Connection({ url: socketUrl(location), rate: RATE }));
  followTheme(studio);
  const world = makeWorld(studio);
  if (!world) return;

  const messages = new Messages();
  studio.showMessage = (message) => messages.show(message);
  const context = toolContext(studio, world);
  const toolbox = new Toolbox(context);
  const cursor = new KeyboardCursor(context, () => toolbox.current);
  const actions = makeActions(studio, world);
  const show = (found: FoundPattern) => void showPattern(studio, world, found);
  const patterns = patternsPanel(studio, show);

  const hint = h("div", { class: "hint" });
  const side = h("aside", { class: "side panel", attributes: { "aria-label": "Inspector" } });
  side.append(
    collapseButton(side, "side", "Inspector"),
    selectionPanel(studio, () => deleteSelected(context, studio.selection.value)),
    groupsPanel(studio),
  );
  const notes = h("div", { class: "stack" }, hints(studio), hiddenPeopleNote(studio), cursorPanel(studio, world, cursor, () => toolbox.current.isDrag ?? false), legends(studio), levelsLegend(studio), performancePanel(studio, world));
  const floats = h("div", { class: "floats" }, notes, h("div", { class: "stack" }, patterns));
  const [top, bottom] = [topbar(studio, actions), h("div", { class: "bottom" }, hint, timebar(studio, patternMarks(studio, show)))];
  top.append(banner(studio));
  document.getElementById("interface")!.append(
    top,
    h("div", { class: "middle" }, toolbar(studio), h("div", { class: "panels" }, floats, side)),
    bottom,
    messages.element,
  );
  installTooltips();
  watchPresentation(studio);
  const tellHint = () => (hint.textContent = studio.isReplay ? "A recording: drag the slider, or play it at any speed, also backwards" : toolbox.current.hint);
  for (const source of [studio.tool, studio.groupName, studio.sending, studio.options, studio.scene, studio.selection]) source.watch(tellHint);

  listenToKeys(studio, world, toolbox, cursor, actions);
  watchPerson(studio);
  watchFlow(studio, world);
  watchWays(studio, world);
  watchBodies(studio, world);
  watchSkating(studio);
  watchWindow(studio, world, { top, bottom, side, patterns });
  followAddress(studio, world);
  installTestHook(studio, world);
  studio.connection.open();
}

function makeWorld(studio: Studio): World | null {
  try {
    return new World(studio, document.getElementById("stage") as HTMLCanvasElement, document.getElementById("labels")!);
  } catch (error) {
    const words = `This page needs WebGL 2, and the browser does not offer it. (${error instanceof Error ? error.message : String(error)})`;
    document.getElementById("interface")!.append(h("div", { class: "banner panel", attributes: { role: "alert" } }, words));
    return null;
  }
}

function toolContext(studio: Studio, world: World): ToolContext {
  const tip = h("div", { class: "tip", hidden: true });
  const polygon = document.querySelector("#marquee polygon")!;
  document.body.append(tip);
  return {
    studio,
    world,
    tip(text, at) {
      tip.hidden = text === null;
      if (text === null) return;
      tip.textContent = text;
      if (at) tip.style.transform = `translate(${at.x + 16}px, ${at.y + 14}px)`;
    },
    marquee(points) {
      polygon.setAttribute("points", (points ?? []).map((p) => `${p.x},${p.y}`).join(" "));
    },
  };
}

function makeActions(studio: Studio, world: World) {
  let view = 0;
  studio.scene.onChange((scene) => (view = view < (scene?.cameras.length ?? 0) ? view : 0));
  return {
    newScene: () => newDialog(studio),
    open: () => void openDialog(studio),
    save: (near: Element | null = null) => {
      void studio.ask("save", {}, near).then((reply) => {
        if (reply !== undefined) studio.showMessage({ level: "info", text: `Saved ${studio.scene.value?.file ?? ""}`, near });
      });
    },
    saveAs: () => saveAsDialog(studio),
    showText: () => void textDialog(studio),
    settings: () => settingsDialog(studio),
    frameAll: () => world.frameAll(),
    topView: () => world.toggleTopView(),
    nextView: () => {
      const count = studio.scene.value?.cameras.length ?? 0;
      if (count === 0) return studio.showMessage({ level: "info", text: "The scene suggests no views", help: "Write cameras into its [evaluation] table." });
      world.takeView(view);
      if (count > 1) studio.showMessage({ level: "info", text: `View ${view + 1} of ${count}` });
      view = (view + 1) % count;
    },
    stepPerson: (direction: 1 | -1) => stepPerson(studio, world, direction),
    stepPattern: (direction: 1 | -1) => stepPattern(studio, world, direction),
    screenshot: () => void screenshot(studio, world),
    saveSized: () => pictureDialog(PICTURE_SIZES, longestSide(world), (size, look) => saveSized(studio, world, size, look)),
    exportImages: () => exportDialog(PICTURE_SIZES, longestSide(world), (options, progress, stop) => exportImages(studio, world, options, progress, stop)),
    share: (near: Element) => {
      const [person, ...others] = studio.selectedPeople;
      const hash = viewToHash({
        at: studio.isReplay ? (studio.state.value?.time ?? null) : null,
        camera: world.stage.rig.view,
        floor: studio.floor.value,
        overlays: [...studio.overlays.value],
        person: others.length === 0 ? (person ?? null) : null,
      });
      history.replaceState(null, "", hash);
      const copied = navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error("no clipboard"));
      copied.then(
        () => studio.showMessage({ level: "info", text: "A link to this view was copied", near }),
        () => studio.showMessage({ level: "info", text: "The address of the page now leads to this view", near }),
      );
    },
    help: helpDialog,
  };
}

/** Light or dark as the system has it, until somebody chooses. */
function followTheme(studio: Studio): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const remembered = recall("theme");
  let chosen: Theme | null = remembered === "light" || remembered === "dark" ? remembered : null;
  const bySystem = (): Theme => (system.matches ? "dark" : "light");
  studio.theme.set(chosen ?? bySystem());
  let following = false;
  system.addEventListener("change", () => {
    if (chosen) return;
    following = true;
    studio.theme.set(bySystem());
    following = false;
  });
  studio.theme.watch((theme) => (document.documentElement.dataset["theme"] = theme));
  studio.theme.onChange((theme) => {
    if (following) return;
    chosen = theme;
    remember("theme", theme);
  });
}

/** Hides the interface while the crowd is presented; a button in the corner, or Esc, brings it back. */
function watchPresentation(studio: Studio): void {
  const leave = button({ icon: "close", title: "Show the interface", key: "Esc", class: "leave-presentation panel", press: () => studio.presenting.set(false) });
  document.body.append(leave);
  studio.presenting.watch((on) => {
    document.body.classList.toggle("presenting", on);
    leave.hidden = !on;
  });
}

/** Windows narrower than this have panels above one another, and not beside the stage, pixels; layout.css has the same. */
const NARROW = 760;

/** The stage fills the window; what is looked at is in the middle of what bars and panels leave. */
function watchWindow(studio: Studio, world: World, around: Record<"top" | "bottom" | "side" | "patterns", HTMLElement>): void {
  const { top, bottom, side, patterns } = around;
  const resize = () => {
    const narrow = innerWidth < NARROW;
    const left = patterns.hidden ? 64 : patterns.getBoundingClientRect().right;
    world.stage.resize(innerWidth, innerHeight, {
      left: narrow ? 0 : left,
      right: narrow || side.classList.contains("collapsed") ? 0 : innerWidth - side.getBoundingClientRect().left,
      top: top.getBoundingClientRect().bottom,
      bottom: innerHeight - bottom.getBoundingClientRect().top,
    });
  };
  addEventListener("resize", resize);
  const observer = new ResizeObserver(resize);
  for (const element of Object.values(around)) observer.observe(element);
  resize();
  document.addEventListener("visibilitychange", () => studio.connection.setRate(document.hidden ? HIDDEN_RATE : RATE));
}

start();
