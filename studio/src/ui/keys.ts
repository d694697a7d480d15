/** Keys: what each does, in one table for the page's help and docs/studio.md. */
import { BODY_LEVELS, type Studio, type ToolName } from "../studio.ts";
import type { KeyboardCursor } from "../tools/cursor.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { nextFloor } from "../model/floors.ts";
import { OVERLAYS, OVERLAY_KEYS } from "../model/view-url.ts";
import type { World } from "../view/world.ts";
import { changeSpeed, togglePlay } from "./timebar.ts";
import { TOOLS } from "./toolbar.ts";

export const KEYS: { title: string; keys: [key: string, what: string][] }[] = [
  {
    title: "Time",
    keys: [
      ["Space", "play or pause"],
      [".", "one step"],
      [",", "one frame back, in recordings"],
      ["[ ]", "slower, faster"],
      ["Shift+R", "begin anew"],
    ],
  },
  { title: "Tools", keys: TOOLS.map((tool) => [tool.key, tool.title.charAt(0).toLowerCase() + tool.title.slice(1)]) },
  {
    title: "Edit",
    keys: [
      ["Ctrl+Z", "undo"],
      ["Ctrl+Shift+Z", "redo"],
      ["Delete", "remove what is selected"],
      ["← ↑ → ↓", "move a selected arrow by 0.25 m, with Shift by 1 m"],
      ["Enter", "end a wall or a polygon"],
      ["J Shift+J", "select the next person, the one before"],
      ["Esc", "cancel, or select nothing"],
      ["Ctrl+S", "save"],
      ["Ctrl+Shift+S", "save as …"],
      ["Ctrl+O", "open …"],
    ],
  },
  {
    title: "Drawing by keys, with every tool",
    keys: [
      ["D", "a cursor on the ground; D once more types its coordinates"],
      ["← ↑ → ↓", "move it by 0.25 m, with Shift by 1 m"],
      ["Enter", "click there; for arrows, boxes, rectangles and strokes the first begins and the second ends"],
      ["Enter Enter", "at one place end a wall or a polygon"],
      ["Esc", "put it away"],
    ],
  },
  {
    title: "View",
    keys: [
      ["T", "plan: straight from above, and back"],
      ["F", "show what is selected: a person as large as a third of the picture"],
      ["Home", "show all: the first view, all floors"],
      ["9", "the next view that the scene suggests"],
      ["C", "follow the selected person"],
      ["← ↑ → ↓", "move"],
      ["Q E", "turn"],
      ["+ −", "nearer, farther"],
      ["PageUp PageDown", "cut the building one floor higher, lower"],
      ["X", "cut walls low"],
      ["Y", "bodies: off, near, more"],
      ["U", "tops in the colours of groups, or clothes of their own"],
      ["M", "look at me: people near the camera notice it"],
      ["K", "save a picture"],
      ["O", "presentation: hide the interface, grid, regions and arrows, and back"],
      ["L", "light or dark"],
      ["?", "this list"],
    ],
  },
  {
    title: "Overlays",
    keys: [
      ["1", "crowding"],
      ["2", "colours by speed"],
      ["3", "trails"],
      ["4", "navigation map"],
      ["5", "where the arrows lead"],
      ["6", "performance"],
      ["7", "colours by level of detail"],
      ["8", "patterns: who sways, gets stuck or spins"],
      ["N Shift+N", "the next pattern, the one before"],
    ],
  },
  {
    title: "Mouse",
    keys: [
      ["Right drag", "look around"],
      ["Middle drag", "move the ground; also Shift and the right button"],
      ["Wheel", "nearer, farther"],
      ["Alt+drag", "look around, without a right button"],
    ],
  },
];

export interface KeyActions {
  save(): void;
  saveAs(): void;
  open(): void;
  help(): void;
  screenshot(): void;
  topView(): void;
  nextView(): void;
  stepPattern(direction: 1 | -1): void;
  stepPerson(direction: 1 | -1): void;
}

const MOVES: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function listenToKeys(studio: Studio, world: World, toolbox: Toolbox, cursor: KeyboardCursor, actions: KeyActions): void {
  // A button that was clicked keeps the focus, and is :focus-visible from the next key on. Whether a key got there is told by the input before.
  let last = "pointer" as "pointer" | "key";
  let reachedBy: typeof last = "pointer";
  window.addEventListener("pointerdown", () => (last = "pointer"), true);
  window.addEventListener("keydown", () => (last = "key"), true);
  window.addEventListener("focusin", () => (reachedBy = last), true);

  window.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey) {
      if (command(event, isTyping(event.target))) event.preventDefault();
      return;
    }
    const { target } = event;
    if (PRESSES.has(event.key) && reachedBy === "pointer" && target instanceof HTMLElement && target.matches(PRESSED)) target.blur();
    else if (event.altKey || ownsKey(target, event.key)) return;
    if (cursor.key(event) || toolbox.current.key?.(event) || plain(event)) event.preventDefault();
  });

  const command = (event: KeyboardEvent, typing: boolean): boolean => {
    switch (event.key.toLowerCase()) {
      case "z":
        if (typing) return false;
        void studio.ask(event.shiftKey ? "redo" : "undo");
        return true;
      case "y":
        if (typing) return false;
        void studio.ask("redo");
        return true;
      case "s":
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        if (event.shiftKey) actions.saveAs();
        else actions.save();
        return true;
      case "o":
        actions.open();
        return true;
      default:
        return false;
    }
  };

  const plain = (event: KeyboardEvent): boolean => {
    const tool = TOOLS.find((entry) => entry.key.toLowerCase() === event.key.toLowerCase());
    if (event.shiftKey && event.key.toLowerCase() === "r") {
      void studio.ask("restart");
      return true;
    }
    if (tool && !event.shiftKey) {
      if (!studio.isReplay || tool.always) studio.tool.set(tool.name satisfies ToolName);
      return true;
    }
    const overlay = OVERLAYS.find((one) => OVERLAY_KEYS[one] === event.key);
    if (overlay) {
      studio.toggleOverlay(overlay);
      return true;
    }
    return viewKey(event) || timeKey(event);
  };

  const timeKey = (event: KeyboardEvent): boolean => {
    switch (event.key) {
      case " ":
        togglePlay(studio);
        return true;
      case ".":
        void studio.ask("step", { count: 1 });
        return true;
      case ",":
        if (studio.isReplay) void studio.ask("step", { count: -1 });
        return true;
      case "[":
        changeSpeed(studio, -1);
        return true;
      case "]":
        changeSpeed(studio, 1);
        return true;
      case "6":
        studio.performance.set(!studio.performance.value);
        return true;
      case "?":
        actions.help();
        return true;
      case "Escape":
        escape();
        return true;
      default:
        return false;
    }
  };

  const viewKey = (event: KeyboardEvent): boolean => {
    const { rig } = world.stage;
    const move = MOVES[event.key];
    if (move) {
      const by = rig.view.distance * 0.06;
      studio.following.set(null);
      rig.shift(move[0] * by, move[1] * by);
    } else {
      switch (event.key.toLowerCase()) {
        case "t":
          actions.topView();
          break;
        case "f":
          world.frameSelection();
          break;
        case "home":
          world.frameAll();
          break;
        case "9":
          actions.nextView();
          break;
        case "n":
          actions.stepPattern(event.shiftKey ? -1 : 1);
          break;
        case "j":
          actions.stepPerson(event.shiftKey ? -1 : 1);
          break;
        case "c":
          follow();
          break;
        case "q":
          rig.orbit(40, 0);
          break;
        case "e":
          rig.orbit(-40, 0);
          break;
        case "+":
        case "=":
          rig.zoom(0.85, null);
          break;
        case "-":
          rig.zoom(1 / 0.85, null);
          break;
        case "pageup":
          changeFloor(1);
          break;
        case "pagedown":
          changeFloor(-1);
          break;
        case "x":
          studio.cutWalls.set(!studio.cutWalls.value);
          break;
        case "y":
          studio.bodyLevel.set(BODY_LEVELS[(BODY_LEVELS.indexOf(studio.bodyLevel.value) + 1) % BODY_LEVELS.length]!);
          break;
        case "u":
          studio.groupColors.set(!studio.groupColors.value);
          break;
        case "m":
          studio.toggleNoticed();
          break;
        case "o":
          studio.presenting.set(!studio.presenting.value);
          break;
        case "k":
          actions.screenshot();
          break;
        case "l":
          studio.theme.set(studio.theme.value === "light" ? "dark" : "light");
          break;
        default:
          return false;
      }
    }
    world.stage.invalidate();
    return true;
  };

  const escape = () => {
    if (studio.presenting.value) return studio.presenting.set(false);
    toolbox.current.cancel();
    if (studio.sending.value) studio.sending.set(false);
    else if (studio.following.value !== null) studio.following.set(null);
    else if (studio.selection.value) studio.selection.set(null);
    else studio.tool.set("select");
  };

  const follow = () => {
    const [person] = studio.selectedPeople;
    if (person !== undefined) studio.following.set(studio.following.value === person ? null : person);
  };

  const changeFloor = (by: 1 | -1) => {
    const scene = studio.scene.value;
    if (scene && scene.layers.length > 1) studio.floor.set(nextFloor(scene, studio.floor.value, by));
  };
}

const PRESSES: ReadonlySet<string> = new Set(["Enter", " "]);
const PRESSED = "button, a, summary";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input[type=text], input[type=number]");

/** Keys belong to whoever is being typed into; sliders keep those that move them, and what the keyboard has gone to those that press it. */
function ownsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (PRESSES.has(key)) return target.matches(`input:not([type=range]), select, textarea, :is(${PRESSED}):focus-visible`);
  if (target.matches("input[type=range]")) return /^(Arrow|Page|Home|End)/.test(key);
  return target.matches("input, select, textarea");
}
