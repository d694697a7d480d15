/**
 * How crowded it is: people per square metre on a lattice, each person spread over about a metre.
 *
 * The kernel is a cone that sums to one person, so the sum over all cells times their area is the number
 * of people, also at the edge of cells.
 */
import type { Point } from "../protocol.ts";

export interface DensityMap {
  columns: number;
  rows: number;
  cell: number;
  origin: Point;
  /** People per square metre, row by row from the smallest y. */
  values: Float32Array;
}

/** How far a person counts, m. */
const REACH = 1.4;
const MOST_CELLS = 256;

export function densityMap(bounds: [Point, Point]): DensityMap {
  const width = bounds[1][0] - bounds[0][0];
  const height = bounds[1][1] - bounds[0][1];
  const cell = Math.max(0.5, width / MOST_CELLS, height / MOST_CELLS);
  const columns = Math.max(1, Math.ceil(width / cell));
  const rows = Math.max(1, Math.ceil(height / cell));
  return { columns, rows, cell, origin: bounds[0], values: new Float32Array(columns * rows) };
}

export function measureDensity(
  map: DensityMap,
  people: { count: number; x: Float32Array; y: Float32Array; layers: Uint8Array | null },
  layer: number,
): void {
  map.values.fill(0);
  const reach = Math.max(REACH, 1.2 * map.cell);
  const span = Math.ceil(reach / map.cell);
  const weights = new Float32Array((2 * span + 1) ** 2);
  for (let i = 0; i < people.count; i++) {
    if (people.layers && people.layers[i] !== layer) continue;
    const px = (people.x[i]! - map.origin[0]) / map.cell - 0.5;
    const py = (people.y[i]! - map.origin[1]) / map.cell - 0.5;
    const column = Math.round(px);
    const row = Math.round(py);
    let sum = 0;
    let k = 0;
    for (let r = row - span; r <= row + span; r++) {
      for (let c = column - span; c <= column + span; c++, k++) {
        const inside = c >= 0 && r >= 0 && c < map.columns && r < map.rows;
        weights[k] = inside ? Math.max(0, reach - map.cell * Math.hypot(c - px, r - py)) : 0;
        sum += weights[k]!;
      }
    }
    if (sum === 0) continue;
    const share = 1 / (sum * map.cell * map.cell);
    k = 0;
    for (let r = row - span; r <= row + span; r++) {
      for (let c = column - span; c <= column + span; c++, k++) {
        if (weights[k]! > 0) map.values[r * map.columns + c]! += weights[k]! * share;
      }
    }
  }
}
