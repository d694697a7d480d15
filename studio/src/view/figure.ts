/**
 * The shape of a person, at three levels of detail: a figure with legs that walk, a plain one, and a mere
 * wedge for those far away. Made of code, so that nothing needs to be loaded.
 *
 * Local axes: x forward, y left, z up, with the feet at the origin. `part` says what swings (+1 left leg and right
 * arm, -1 the others), `pivot` how far forward and at which height, and `tint` what a triangle is painted with.
 */
import { BufferAttribute, BufferGeometry } from "three";

export const CLOTHES = 0;
export const SKIN = 1;
export const TROUSERS = 2;
export const HAIR = 3;
/** Of animals, in a darker shade of the colour of their coat. */
export const MANE = 4;
/** Animals are painted in one colour, as clothes are. */
export const COAT = CLOTHES;

/** A part that swings forward and back about its pivot, and what it is painted with. */
interface Manner {
  part?: number;
  /** Height of what it hangs from. */
  pivot?: number;
  /** How far forward that is. */
  hinge?: number;
  tint?: number;
}

/** Part of a tube: where its middle is, and how wide and deep it is there. */
export type Section = [forward: number, height: number, halfWidth: number, halfDepth: number];

export class FigureBuilder {
  positions: number[] = [];
  parts: number[] = [];
  pivots: number[] = [];
  tints: number[] = [];
  index: number[] = [];

  /** A body of revolution around a vertical axis, flattened to `depth` of its width from front to back. */
  lathe(
    profile: [radius: number, height: number][],
    sides: number,
    { depth = 1, forward = 0, left = 0, ...manner }: Manner & { depth?: number; forward?: number; left?: number },
  ): this {
    const start = this.positions.length / 3;
    for (const [radius, height] of profile) {
      for (let side = 0; side < sides; side++) {
        const angle = ((side + 0.5) / sides) * 2 * Math.PI;
        this.vertex(forward + Math.cos(angle) * radius * depth, left + Math.sin(angle) * radius, height, manner);
      }
    }
    return this.skin(start, profile.length, sides);
  }

  /** A body along a line in the middle plane, with oval sections across it. */
  tube(sections: Section[], sides: number, manner: Manner = {}): this {
    const start = this.positions.length / 3;
    sections.forEach(([forward, height, halfWidth, halfDepth], i) => {
      const [before, after] = [sections[Math.max(0, i - 1)]!, sections[Math.min(sections.length - 1, i + 1)]!];
      const [along, up] = [after[0] - before[0], after[1] - before[1]];
      const length = Math.hypot(along, up) || 1;
      for (let side = 0; side < sides; side++) {
        const angle = ((side + 0.5) / sides) * 2 * Math.PI;
        const across = Math.cos(angle) * halfDepth;
        this.vertex(forward + (across * up) / length, Math.sin(angle) * halfWidth, height - (across * along) / length, manner);
      }
    });
    return this.skin(start, sections.length, sides);
  }

  /** Triangles between rings of vertices. */
  private skin(start: number, rings: number, sides: number): this {
    for (let ring = 0; ring + 1 < rings; ring++) {
      for (let side = 0; side < sides; side++) {
        const next = (side + 1) % sides;
        const [a, b] = [start + ring * sides + side, start + ring * sides + next];
        this.index.push(a, b, b + sides, a, b + sides, a + sides);
      }
    }
    return this;
  }

  /** The figure, so many times as large. */
  build(size = 1): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(this.positions, (length) => size * length), 3));
    geometry.setIndex(this.index);
    geometry.computeVertexNormals();
    const column = (values: number[], width: number) => new BufferAttribute(Float32Array.from(values), width);
    geometry.setAttribute("part", column(this.parts, 1));
    geometry.setAttribute("pivot", column(this.pivots.map((length) => size * length), 2));
    geometry.setAttribute("tint", column(this.tints, 1));
    return geometry;
  }

  private vertex(x: number, y: number, z: number, { part = 0, pivot = 0, hinge = 0, tint = CLOTHES }: Manner): void {
    this.positions.push(x, y, z);
    this.parts.push(part);
    this.pivots.push(hinge, pivot);
    this.tints.push(tint);
  }
}

/** A person close by. */
export function fineFigure(): BufferGeometry {
  const builder = new FigureBuilder();
  for (const side of [1, -1]) {
    builder
      .lathe([[0.0, 0.02], [0.075, 0.03], [0.07, 0.45], [0.105, 0.86]], 6, { left: 0.095 * side, part: side, pivot: 0.86, tint: TROUSERS })
      .lathe([[0.0, 0], [0.062, 0.0], [0.058, 0.07], [0, 0.085]], 6, { forward: 0.055, depth: 2, left: 0.095 * side, part: side, pivot: 0.86, tint: HAIR })
      .lathe([[0, 0.72], [0.042, 0.75], [0.05, 1.1], [0.06, 1.36], [0, 1.41]], 5, { left: 0.245 * side, part: -0.8 * side, pivot: 1.38 });
  }
  return builder
    .lathe([[0.17, 0.8], [0.175, 0.95], [0.18, 1.1], [0.215, 1.32], [0.18, 1.42], [0.07, 1.46], [0.06, 1.5]], 10, { depth: 0.6 })
    .lathe([[0, 1.46], [0.07, 1.48], [0.102, 1.56], [0.105, 1.62], [0.095, 1.66]], 9, { tint: SKIN, depth: 1.05 })
    .lathe([[0.112, 1.61], [0.11, 1.67], [0.075, 1.72], [0, 1.74]], 9, { tint: HAIR, depth: 1.05, forward: -0.018 })
    .lathe([[0, 1.54], [0.022, 1.55], [0.0, 1.62]], 4, { tint: SKIN, forward: 0.115 })
    .build();
}

/** A person across the square. */
export function plainFigure(): BufferGeometry {
  const builder = new FigureBuilder();
  for (const side of [1, -1]) {
    builder.lathe([[0.065, 0], [0.1, 0.86]], 4, { left: 0.09 * side, part: side, pivot: 0.86, tint: TROUSERS, depth: 1.1 });
  }
  return builder
    .lathe([[0.16, 0.8], [0.24, 1.32], [0.2, 1.42], [0.06, 1.47]], 6, { depth: 0.62 })
    .lathe([[0.06, 1.45], [0.11, 1.55], [0.105, 1.63]], 6, { tint: SKIN })
    .lathe([[0.115, 1.61], [0.085, 1.71], [0, 1.74]], 6, { tint: HAIR, forward: -0.015 })
    .build();
}

/** A person in the distance. */
export function farFigure(): BufferGeometry {
  return new FigureBuilder()
    .lathe([[0.13, 0], [0.15, 0.85]], 4, { depth: 0.8 })
    .lathe([[0.19, 0.85], [0.23, 1.36], [0.08, 1.46]], 4, { depth: 0.7 })
    .lathe([[0.1, 1.46], [0.12, 1.6], [0, 1.74]], 4, { tint: SKIN })
    .build();
}
