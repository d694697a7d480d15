/** Choices that the browser remembers from one visit to the next, in its local storage. */
import { signal, type Signal } from "./signal.ts";

/** What was remembered under a name; `null` if there is nothing, or the browser remembers nothing. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`throng.${name}`);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`throng.${name}`, value);
  } catch {
    // A browser that remembers nothing begins anew next time.
  }
}

/** A switch that is as it was left the last time, or else as `initial` says. */
export function rememberedSwitch(name: string, initial: boolean): Signal<boolean> {
  const known = recall(name);
  const result = signal(known === "on" || known === "off" ? known === "on" : initial);
  result.onChange((on) => remember(name, on ? "on" : "off"));
  return result;
}
