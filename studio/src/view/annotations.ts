/** Names and legends in pictures that are saved: on the screen they are elements of the page, which no picture of the stage has. */
import type { Caption } from "../model/caption.ts";
import type { Theme } from "./palette.ts";
import { ramp } from "./palette.ts";

/** Words at a place of the picture, pixels. */
export interface Name {
  text: string;
  x: number;
  y: number;
}

/** Sizes are told for a picture as high as this, pixels; larger pictures have larger words. */
const HEIGHT = 900;
const INK: Record<Theme, { text: string; quiet: string; panel: string }> = {
  light: { text: "#1b2430", quiet: "#667382", panel: "rgb(255 255 255 / 86%)" },
  dark: { text: "#e8edf3", quiet: "#93a0af", panel: "rgb(27 33 41 / 86%)" },
};
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** A copy of a picture with names where they belong and the caption in its lower left corner. */
export function annotated(picture: HTMLCanvasElement, names: readonly Name[], caption: Caption, theme: Theme): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [picture.width, picture.height];
  const context = copy.getContext("2d")!;
  context.drawImage(picture, 0, 0);
  const unit = Math.max(0.6, copy.height / HEIGHT);
  const ink = INK[theme];
  const font = (size: number, weight = 400) => (context.font = `${weight} ${size * unit}px ${FONT}`);
  const panel = (x: number, y: number, width: number, height: number, radius: number) => {
    context.fillStyle = ink.panel;
    context.beginPath();
    context.roundRect(x, y, width, height, radius);
    context.fill();
  };
  context.textBaseline = "middle";
  font(11, 550);
  for (const { text, x, y } of names) {
    const width = context.measureText(text).width + 14 * unit;
    panel(x - width / 2, y - 9 * unit, width, 18 * unit, 9 * unit);
    context.fillStyle = ink.text;
    context.textAlign = "center";
    context.fillText(text, x, y);
  }
  context.textAlign = "left";
  const [line, edge, bar] = [20 * unit, 12 * unit, 190 * unit];
  font(13, 650);
  const widths = [context.measureText(caption.title).width, ...(caption.ramps.length > 0 ? [bar] : [])];
  font(12);
  for (const { name } of caption.groups) widths.push(context.measureText(name).width + 18 * unit);
  const [width, height] = [Math.max(...widths) + 2 * edge, line * (1 + caption.groups.length + 2.6 * caption.ramps.length) + edge];
  const left = edge;
  let y = copy.height - edge - height + edge / 2 + line / 2;
  panel(left, copy.height - edge - height, width, height, 10 * unit);
  const say = (text: string, x: number, at: number, color = ink.text) => {
    context.fillStyle = color;
    context.fillText(text, x, at);
  };
  font(13, 650);
  say(caption.title, left + edge, y);
  font(12);
  for (const { name, color } of caption.groups) {
    y += line;
    context.fillStyle = color;
    context.fillRect(left + edge, y - 5 * unit, 11 * unit, 11 * unit);
    say(name, left + edge + 18 * unit, y);
  }
  for (const { title, ticks, isReversed } of caption.ramps) {
    y += line;
    say(title, left + edge, y);
    y += 0.8 * line;
    const colors = context.createLinearGradient(left + edge, 0, left + edge + bar, 0);
    for (let i = 0; i <= 8; i++) colors.addColorStop(i / 8, `rgb(${ramp(isReversed ? 1 - i / 8 : i / 8).map((part) => Math.round(part * 255)).join(" ")})`);
    context.fillStyle = colors;
    context.fillRect(left + edge, y - 4 * unit, bar, 8 * unit);
    y += 0.8 * line;
    font(10);
    ticks.forEach((tick, i) => {
      context.textAlign = i === 0 ? "left" : i === ticks.length - 1 ? "right" : "center";
      say(tick, left + edge + (bar * i) / (ticks.length - 1), y, ink.quiet);
    });
    context.textAlign = "left";
    font(12);
  }
  return copy;
}
