/**
 * The shape of a person, at three levels of detail: a figure with legs that walk, a plain one, and a mere
 * wedge for those far away. Made of code, so that nothing needs to be loaded.
 *
 * Local axes: x forward, y left, z up, with the feet at the origin. `part` says what swings (+1 left leg and right
 * arm, -1 the others), `pivot` at which height, and `tint` what a triangle is painted with.
 */
import { BufferAttribute, BufferGeometry } from "three";

export const CLOTHES = 0;
export const SKIN = 1;
export const TROUSERS = 2;
export const HAIR = 3;

export const HEIGHT = 1.72;

class FigureBuilder {
  positions: number[] = [];
  parts: number[] = [];
  pivots: number[] = [];
  tints: number[] = [];
  index: number[] = [];

  /** A body of revolution around a vertical axis, flattened to `depth` of its width from front to back. */
  lathe(
    profile: [radius: number, height: number][],
    sides: number,
    { depth = 1, forward = 0, left = 0, part = 0, pivot = 0, tint = CLOTHES as number },
  ): this {
    const start = this.positions.length / 3;
    for (const [radius, height] of profile) {
      for (let side = 0; side < sides; side++) {
        const angle = ((side + 0.5) / sides) * 2 * Math.PI;
        this.vertex(forward + Math.cos(angle) * radius * depth, left + Math.sin(angle) * radius, height, part, pivot, tint);
      }
    }
    for (let ring = 0; ring + 1 < profile.length; ring++) {
      for (let side = 0; side < sides; side++) {
        const next = (side + 1) % sides;
        const [a, b] = [start + ring * sides + side, start + ring * sides + next];
        this.index.push(a, b, b + sides, a, b + sides, a + sides);
      }
    }
    return this;
  }

  build(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(this.positions), 3));
    geometry.setIndex(this.index);
    geometry.computeVertexNormals();
    const column = (values: number[]) => new BufferAttribute(Float32Array.from(values), 1);
    geometry.setAttribute("part", column(this.parts));
    geometry.setAttribute("pivot", column(this.pivots));
    geometry.setAttribute("tint", column(this.tints));
    return geometry;
  }

  private vertex(x: number, y: number, z: number, part: number, pivot: number, tint: number): void {
    this.positions.push(x, y, z);
    this.parts.push(part);
    this.pivots.push(pivot);
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
