/** Numbers that are typed into fields, and what is said of those that scenes refuse. */

export interface Limits {
  min: number;
  max: number;
  unit: string;
  /** Why no number is smaller or larger; without, scenes allow no other. */
  why?: { min?: string; max?: string };
}

/** The number nearest to a typed one within limits, and what to say if it is another; `null` for what is no number. */
export function limited(typed: string, { min, max, unit, why }: Limits): { value: number; note: string } | null {
  const number = typed.trim() === "" ? NaN : Number(typed);
  if (!Number.isFinite(number)) return null;
  if (number >= min && number <= max) return { value: number, note: "" };
  const [limit, reason] = number < min ? [min, why?.min ?? "scenes allow no less"] : [max, why?.max ?? "scenes allow no more"];
  return { value: limit, note: `Set to ${withUnit(limit, unit)} instead of ${withUnit(number, unit)}: ${reason}` };
}

/** The range of a field, for its tooltip. */
export const rangeInWords = ({ min, max, unit }: Limits): string => `From ${withUnit(min, "")} to ${withUnit(max, unit)}`;

const withUnit = (value: number, unit: string): string => `${String(value).replace("-", "−")}${unit && unit !== "°" ? " " : ""}${unit}`;
