/** Names and colours for what is new. */

/** `base`, or `base 2`, `base 3` …: the first that is not taken. */
export function freeName(base: string, taken: Iterable<string>): string {
  const names = new Set(taken);
  if (!names.has(base)) return base;
  for (let i = 2; ; i++) {
    if (!names.has(`${base} ${i}`)) return `${base} ${i}`;
  }
}

/** Colours that tell groups apart, also for most who see colours differently. */
export const PALETTE = ["#3b82c4", "#e07b39", "#5aa469", "#9b59b6", "#e5b93c", "#c0392b", "#2aa5a0", "#d36c9c", "#7a8a3c", "#6b7fd7"];

export function freeColor(taken: Iterable<string>): string {
  const used = [...taken].map((color) => color.toLowerCase());
  const counts = PALETTE.map((color) => used.filter((other) => other === color).length);
  return PALETTE[counts.indexOf(Math.min(...counts))]!;
}

/** The name that a scene file gets; the server adds the ending as well. Nothing for an empty name. */
export function sceneFileName(typed: string): string {
  const name = typed.trim();
  return name === "" || /\.toml$/i.test(name) ? name : `${name}.toml`;
}

/** Says that a file gets an ending that was not typed. */
export function fileNote(typed: string): string {
  const name = sceneFileName(typed);
  return name === typed.trim() ? "" : `The file will be called ${name}: scenes end in .toml`;
}
