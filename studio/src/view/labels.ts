/** Words that stand at places on the ground: elements of the page that follow their places on the screen. */
import type { Place } from "./axes.ts";
import type { Stage } from "./stage.ts";

export interface Label {
  text: string;
  at: Place;
  kind: "region" | "source" | "warning" | "critical" | "measure" | "goal" | "interest" | "pattern" | "handle";
  title?: string;
  faint?: boolean;
}

/** More would be a fog of words. */
const MOST = 120;

export class Labels {
  private sets = new Map<string, { element: HTMLElement; kind: Label["kind"]; at: Place }[]>();

  constructor(
    private readonly stage: Stage,
    private readonly layer: HTMLElement,
  ) {
    stage.onRendered(() => this.place());
  }

  /** Shows these labels instead of those that were last set under this name. */
  set(name: string, labels: Label[]): void {
    for (const old of this.sets.get(name) ?? []) old.element.remove();
    this.sets.set(
      name,
      labels.slice(0, MOST).map((label) => {
        const element = document.createElement("div");
        element.className = `label label-${label.kind}${label.faint ? " faint" : ""}`;
        element.textContent = label.text;
        if (label.title) element.title = label.title;
        this.layer.append(element);
        return { element, kind: label.kind, at: label.at };
      }),
    );
    this.stage.invalidate();
  }

  /** The words that are seen, and where they are in the picture, pixels of the stage. */
  get seen(): { text: string; kind: Label["kind"]; x: number; y: number }[] {
    const all = [...this.sets.values()].flat();
    return all.flatMap(({ element, kind, at }) => {
      const { x, y, visible } = this.stage.project(...at);
      return visible ? [{ text: element.textContent ?? "", kind, x, y }] : [];
    });
  }

  private place(): void {
    for (const labels of this.sets.values()) {
      for (const { element, at } of labels) {
        const { x, y, visible } = this.stage.project(...at);
        element.style.display = visible ? "" : "none";
        element.style.transform = `translate(-50%, -50%) translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      }
    }
  }
}
