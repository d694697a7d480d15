/**
 * Dogs and horses without a body: figures on four legs at two levels of detail, and how large all species are.
 *
 * Shapes are those of an animal one metre high at the withers, after the proportions of the bodies that the server
 * sends, and legs swing in diagonal pairs, as in a trot.
 */
import type { BufferGeometry } from "three";
import type { Species } from "../protocol.ts";
import { COAT, FigureBuilder, MANE, type Section } from "./figure.ts";

export type Animal = Exclude<Species, "person">;

interface Measures {
  /** To the top of the head of a person, to the withers of an animal, m. */
  height: number;
  /** How far from the middle a click still meets them, m. */
  girth: number;
  /** Strides per second: those of one crowd walk at much the same cadence, and vary the length of their steps. */
  cadence: number;
  /** How far legs swing at most, rad. */
  swing: number;
  /** Length and width of the shade, and size of the ring of who is selected, compared with those of a person. */
  shade: [number, number];
  ring: number;
}

export const MEASURES: Record<Species, Measures> = {
  person: { height: 1.72, girth: 0.3, cadence: 0.95, swing: 0.62, shade: [1, 1], ring: 1 },
  dog: { height: 0.55, girth: 0.3, cadence: 1.7, swing: 0.5, shade: [1.4, 0.7], ring: 1.2 },
  horse: { height: 1.6, girth: 0.7, cadence: 0.85, swing: 0.42, shade: [4, 1.6], ring: 2.2 },
};

interface Shape {
  trunk: Section[];
  neck: Section[];
  head: Section[];
  tail: Section[];
  mane: Section[];
  /** Where ears are, and how high they stand. */
  ears: { forward: number; left: number; from: number; to: number };
  /** Where legs are, how high they reach into the trunk, and how thick they are. */
  fore: { forward: number; left: number };
  hind: { forward: number; left: number };
  top: number;
  leg: [radius: number, height: number][];
  paw: [radius: number, height: number][];
  /** The tint of ears, tail and feet. */
  ends: number;
}

const SHAPES: Record<Animal, Shape> = {
  dog: {
    trunk: [[-0.53, 0.84, 0.02, 0.03], [-0.48, 0.82, 0.1, 0.12], [-0.3, 0.81, 0.125, 0.16], [-0.05, 0.77, 0.13, 0.17], [0.25, 0.73, 0.15, 0.24], [0.42, 0.75, 0.12, 0.2], [0.5, 0.77, 0.02, 0.05]],
    neck: [[0.34, 0.82, 0.1, 0.16], [0.5, 0.99, 0.085, 0.13], [0.64, 1.12, 0.08, 0.1]],
    head: [[0.56, 1.12, 0.03, 0.04], [0.64, 1.15, 0.1, 0.1], [0.76, 1.13, 0.095, 0.095], [0.84, 1.09, 0.055, 0.055], [0.97, 1.05, 0.045, 0.045], [0.99, 1.05, 0.01, 0.01]],
    tail: [[-0.48, 0.86, 0.03, 0.04], [-0.68, 0.78, 0.035, 0.035], [-0.86, 0.82, 0.01, 0.01]],
    mane: [],
    ears: { forward: 0.66, left: 0.07, from: 1.2, to: 1.36 },
    fore: { forward: 0.32, left: 0.095 },
    hind: { forward: -0.4, left: 0.09 },
    top: 0.68,
    leg: [[0.035, 0.05], [0.035, 0.3], [0.065, 0.55], [0.06, 0.74]],
    paw: [[0, 0], [0.05, 0], [0.045, 0.06], [0, 0.07]],
    ends: COAT,
  },
  horse: {
    trunk: [[-0.56, 0.8, 0.02, 0.04], [-0.51, 0.8, 0.12, 0.14], [-0.34, 0.79, 0.155, 0.19], [0, 0.75, 0.165, 0.2], [0.28, 0.75, 0.165, 0.22], [0.45, 0.79, 0.12, 0.2], [0.53, 0.8, 0.03, 0.08]],
    neck: [[0.36, 0.85, 0.09, 0.19], [0.56, 1.04, 0.07, 0.15], [0.74, 1.2, 0.055, 0.1]],
    head: [[0.68, 1.24, 0.03, 0.03], [0.76, 1.18, 0.07, 0.1], [0.88, 1.05, 0.06, 0.085], [1.0, 0.92, 0.045, 0.06], [1.04, 0.87, 0.01, 0.02]],
    tail: [[-0.53, 0.9, 0.02, 0.03], [-0.62, 0.78, 0.05, 0.05], [-0.66, 0.5, 0.04, 0.045], [-0.66, 0.36, 0.005, 0.005]],
    mane: [[0.3, 0.98, 0.01, 0.04], [0.47, 1.15, 0.022, 0.06], [0.66, 1.29, 0.022, 0.05], [0.76, 1.29, 0.01, 0.03]],
    ears: { forward: 0.7, left: 0.045, from: 1.25, to: 1.37 },
    fore: { forward: 0.34, left: 0.11 },
    hind: { forward: -0.4, left: 0.105 },
    top: 0.66,
    leg: [[0.032, 0.06], [0.03, 0.3], [0.045, 0.36], [0.075, 0.6], [0.07, 0.72]],
    paw: [[0, 0], [0.05, 0], [0.035, 0.09], [0, 0.1]],
    ends: MANE,
  },
};

/** An animal whose legs walk. */
export function plainAnimal(species: Animal): BufferGeometry {
  const { trunk, neck, head, tail, mane, ears, leg, paw, ends } = SHAPES[species];
  const builder = new FigureBuilder().tube(trunk, 8).tube(neck, 6).tube(head, 6).tube(tail, 5, { tint: ends }).tube(mane, 4, { tint: MANE });
  for (const left of [ears.left, -ears.left]) {
    builder.lathe([[0.03, ears.from - 0.02], [0, ears.to]], 4, { forward: ears.forward, left, tint: MANE });
  }
  for (const place of legs(species)) {
    builder.lathe(leg, 5, { depth: 1.15, ...place }).lathe(paw, 5, { depth: 1.4, ...place, forward: place.forward + 0.015, tint: ends });
  }
  return builder.build(MEASURES[species].height);
}

/** An animal in the distance. */
export function farAnimal(species: Animal): BufferGeometry {
  const { trunk, neck, head, leg } = SHAPES[species];
  const ends = (sections: Section[]) => [sections[1]!, sections.at(-2)!];
  const builder = new FigureBuilder().tube(trunk.filter((_, i) => i % 2 === 0), 4).tube([neck[0]!, neck[2]!], 4).tube(ends(head), 4);
  for (const place of legs(species)) builder.lathe([leg[0]!, leg.at(-1)!], 3, place);
  return builder.build(MEASURES[species].height);
}

/** Left fore and right hind swing together, and so do the others. */
function legs(species: Animal): { forward: number; left: number; part: number; pivot: number; hinge: number }[] {
  const { fore, hind, top } = SHAPES[species];
  return [1, -1].flatMap((side) =>
    [fore, hind].map(({ forward, left }) => ({ forward, left: side * left, part: forward > 0 ? side : -side, pivot: top, hinge: forward })),
  );
}
