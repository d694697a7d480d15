/** Numbers that the server packs into text: base64 of their little-endian bytes. */

/** Numbers of 16 bits, from 0 on; what is missing of `count` is 0. */
export function shorts(packed: string, count: number): Uint16Array {
  const view = bytes(packed);
  const result = new Uint16Array(count);
  const there = Math.min(count, Math.floor(view.byteLength / 2));
  for (let i = 0; i < there; i++) result[i] = view.getUint16(2 * i, true);
  return result;
}

export function floats(packed: string): Float32Array {
  const view = bytes(packed);
  const result = new Float32Array(Math.floor(view.byteLength / 4));
  for (let i = 0; i < result.length; i++) result[i] = view.getFloat32(4 * i, true);
  return result;
}

/** Whole numbers of 32 bits, from 0 on. */
export function integers(packed: string): Uint32Array {
  const view = bytes(packed);
  const result = new Uint32Array(Math.floor(view.byteLength / 4));
  for (let i = 0; i < result.length; i++) result[i] = view.getUint32(4 * i, true);
  return result;
}

function bytes(packed: string): DataView {
  const text = atob(packed);
  const result = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) result[i] = text.charCodeAt(i);
  return new DataView(result.buffer);
}
