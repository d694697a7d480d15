/**
 * Who goes over from one way of being drawn to another is drawn in both, each on some of the pixels: a pattern of four by four of them decides which is
 * whose. Pixels of both together are all pixels, and none is of both, so nothing is transparent and nothing has to be sorted.
 */

/** Who is there as a whole. */
export const WHOLE = 1;
/** Who comes, and has come so far. */
export const coming = (progress: number): number => progress;
/** Who leaves as another comes. */
export const leaving = (progress: number): number => (progress > 0 ? -progress : WHOLE);

/** `screenPattern()`: a number from 0 to 1 that belongs to a pixel; `isFaded(fade)`: whether a pixel is left out. */
export const FADING_GLSL = `
float screenPattern() {
  ivec2 p = ivec2(gl_FragCoord.xy) & 3;
  ivec2 fine = p & 1, coarse = p >> 1;
  return (float(4 * (2 * (fine.x ^ fine.y) + fine.y) + 2 * (coarse.x ^ coarse.y) + coarse.y) + 0.5) / 16.0;
}
bool isFaded(float fade) {
  return fade >= 0.0 ? screenPattern() >= fade : screenPattern() < -fade;
}`;
