/** Patterns that walks should not have: what they are called, when they last, and where they are on a timeline. */
import { PATTERNS, type FoundPattern, type PatternName, type PatternsEvent } from "../protocol.ts";
import { clock } from "./words.ts";

/** A sign for each, so that nobody depends on colours; what several are called; and what is meant. */
export const PATTERN_WORDS: Record<PatternName, { sign: string; one: string; many: string; meaning: string }> = {
  oscillation: { sign: "↔", one: "Oscillation", many: "Oscillations", meaning: "Turns round three times or more within three seconds" },
  deadlock: { sign: "■", one: "Deadlock", many: "Deadlocks", meaning: "Gets less than 10 cm on within three seconds, more than a metre from the goal" },
  spin: { sign: "↻", one: "Spin", many: "Spins", meaning: "Turns faster than 720° per second" },
};

/** A live crowd is told of a moment late: what was seen until then may still go on, s. */
const LATE = 1.2;

export const countOf = (patterns: PatternsEvent | null): number => PATTERNS.reduce((sum, name) => sum + (patterns?.counts[name] ?? 0), 0);

/** What tells one from all others, also while it goes on. */
export const keyOf = (found: FoundPattern): string => `${found.pattern} ${found.person} ${found.from}`;

/** Those that last at a moment. */
export function lasting(list: readonly FoundPattern[], time: number, live: boolean): FoundPattern[] {
  return list.filter((found) => found.from <= time + 1e-6 && time <= found.to + (live ? LATE : 1e-6));
}

/** `3.5 s`, and more than a minute as a clock has it. */
export function durationOf(found: FoundPattern): string {
  const seconds = found.to - found.from;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : clock(seconds, 0);
}

export function inWords(found: FoundPattern): string {
  return `${PATTERN_WORDS[found.pattern].one}, person ${found.person}, at ${clock(found.from)} for ${durationOf(found)}`;
}

/**
 * The next one after the chosen one, or after a moment if none is chosen, or if there is no moment either the first; or the one before, or the last.
 * Those that begin at once follow one another in the order of the list. The chosen one may not be in the list any more.
 */
export function neighbour(list: readonly FoundPattern[], chosen: FoundPattern | null, moment: number | null, direction: 1 | -1): FoundPattern | null {
  const at = chosen ? list.findIndex((found) => keyOf(found) === keyOf(chosen)) : -1;
  if (at >= 0) return list[at + direction] ?? null;
  const time = chosen?.from ?? moment;
  if (time === null) return list.at(direction > 0 ? 0 : -1) ?? null;
  // Those that began with one that is gone come after it.
  const after = chosen ? time - 1e-6 : time + 1e-6;
  if (direction > 0) return list.find((found) => found.from > after) ?? null;
  return list.filter((found) => found.from < time - 1e-6).at(-1) ?? null;
}

/** A stretch of a timeline with one or several of a kind. */
export interface Mark {
  pattern: PatternName;
  /** Where it begins and how long it is, as parts of the whole. */
  at: number;
  length: number;
  count: number;
  first: FoundPattern;
  words: string;
}

/**
 * Marks for a timeline from `start` to `end` that is so many pixels long. What would touch is one mark, so there are never more than
 * there is room for, however many patterns there are.
 */
export function marksOf(list: readonly FoundPattern[], start: number, end: number, pixels: number): Mark[] {
  const whole = end - start;
  if (!(whole > 0) || !(pixels > 0)) return [];
  const marks: Mark[] = [];
  const least = 3 / pixels;
  for (const pattern of PATTERNS) {
    let last: Mark | null = null;
    for (const found of list) {
      if (found.pattern !== pattern || found.to < start || found.from > end) continue;
      const from = Math.max(0, (found.from - start) / whole);
      const to = Math.min(1, (found.to - start) / whole);
      if (last && from <= last.at + Math.max(last.length, least) + 1 / pixels) {
        last.length = Math.max(last.length, to - last.at);
        last.count++;
      } else {
        last = { pattern, at: Math.min(from, 1 - least), length: to - from, count: 1, first: found, words: "" };
        marks.push(last);
      }
    }
  }
  for (const mark of marks) {
    mark.length = Math.min(Math.max(mark.length, least), 1 - mark.at);
    const span = `${clock(start + mark.at * whole)} to ${clock(start + (mark.at + mark.length) * whole)}`;
    mark.words = mark.count === 1 ? inWords(mark.first) : `${mark.count} ${PATTERN_WORDS[mark.pattern].many.toLowerCase()}, ${span}`;
  }
  return marks;
}
