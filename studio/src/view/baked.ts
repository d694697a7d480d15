/**
 * Poses that were made once, on the graphics card: a texture with a texel for each vertex. Each pose is made when somebody is in it
 * first. With it are the colours of everybody, for whoever draws people without bodies of their own.
 */
import { BufferAttribute, DataTexture, DynamicDrawUsage, FloatType, InstancedBufferGeometry, InstancedInterleavedBuffer, InterleavedBufferAttribute, Mesh, NearestFilter, RGBAFormat, SRGBColorSpace, UnsignedByteType, type Material } from "three";
import { TOP, type BodyMesh, type Cast } from "../bodies.ts";
import { bake } from "../model/baking.ts";
import { DYES_PER_PERSON, DYES_PER_ROW, type RoleBook } from "../model/roles.ts";

/** Texels in a row; a pose never goes over the end of one. */
const WIDTH = 2048;
/** Rows that there are at first, and at most. */
const ROWS = 256;
const MOST_ROWS = 4096;

export class BakedPoses {
  readonly texture = { value: makeTexture(new Float32Array(4 * WIDTH * ROWS), ROWS) };
  private texels = this.texture.value.image.data as unknown as Float32Array;
  private rows = ROWS;
  private next = 0;
  private uploaded: DataTexture | null = null;
  private readonly starts = new Map<number, number>();

  constructor(readonly cast: Cast) {}

  /** The coarsest mesh of a look, which is the one that poses are made of. */
  mesh(look: number): BodyMesh {
    return this.cast.looks[look]!.meshes.at(-1)!;
  }

  get count(): number {
    return this.starts.size;
  }

  /** The texel at which a pose begins; it is made if `mayMake`. -1 if there is none. */
  start(look: number, take: number, frame: number, head: number, mayMake: boolean): number {
    const key = ((look * 16 + take) * 256 + frame) * 4 + head;
    const known = this.starts.get(key);
    if (known !== undefined) return known;
    if (!mayMake) return -1;
    const mesh = this.mesh(look);
    const size = mesh.regions.length;
    let at = this.next;
    if ((at % WIDTH) + size > WIDTH) at = (Math.floor(at / WIDTH) + 1) * WIDTH;
    if (size > WIDTH || at + size > WIDTH * MOST_ROWS) return -1;
    if (at + size > WIDTH * this.rows) this.grow();
    bake(this.cast.looks[look]!, mesh, take, frame, head, this.texels, 4 * at);
    this.next = at + size;
    this.starts.set(key, at);
    const texture = this.texture.value;
    // A texture that is not on the card yet goes there as a whole.
    if (this.uploaded === texture) texture.addUpdateRange(4 * at, 4 * size);
    texture.onUpdate = () => (this.uploaded = texture);
    texture.needsUpdate = true;
    return at;
  }

  /** The vertices of a pose that was made. */
  vertices(look: number, start: number): Float32Array {
    return this.texels.subarray(4 * start, 4 * (start + this.mesh(look).regions.length));
  }

  dispose(): void {
    this.texture.value.dispose();
  }

  private grow(): void {
    const texels = new Float32Array(2 * this.texels.length);
    texels.set(this.texels);
    this.texels = texels;
    this.rows *= 2;
    this.texture.value.dispose();
    this.texture.value = makeTexture(texels, this.rows);
  }
}

function makeTexture(texels: Float32Array, rows: number): DataTexture {
  const texture = new DataTexture(texels as Float32Array<ArrayBuffer>, WIDTH, rows, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

/** What GLSL needs to read a vertex: `bakedVertex(start)` and `bakedNormal(texel)`. */
export const BAKED_GLSL = `
uniform highp sampler2D baked;
vec4 bakedVertex(float start) {
  int at = int(start + 0.5) + gl_VertexID;
  return texelFetch(baked, ivec2(at & ${WIDTH - 1}, at >> ${Math.log2(WIDTH)}), 0);
}
vec3 bakedNormal(vec4 texel) {
  float z = floor(texel.w / 65536.0);
  float y = floor((texel.w - 65536.0 * z) / 256.0);
  return (vec3(texel.w - 65536.0 * z - 256.0 * y, y, z) - 128.0) / 127.0;
}`;

/** Everybody's colours. */
export class Dyes {
  readonly texture = { value: new DataTexture(new Uint8Array(4), 1, 1) };
  private version = -1;

  update(book: RoleBook): void {
    if (this.version === book.version) return;
    this.version = book.version;
    const { texels, rows } = book.dyes();
    this.texture.value.dispose();
    const texture = new DataTexture(texels as Uint8Array<ArrayBuffer>, DYES_PER_PERSON * DYES_PER_ROW, rows, RGBAFormat, UnsignedByteType);
    texture.colorSpace = SRGBColorSpace;
    texture.minFilter = texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
    this.texture.value = texture;
  }
}

/** How a person is painted: in their own colours, with another top, or all in one colour. */
export const OWN = 0;
export const TOP_ONLY = 1;
export const ALL = 2;
/** How much of the one colour it is then: eyes and hair can still be told apart. */
export const PAINTED = 0.85;

/** `dyed(slot, region, mode, paint)`: the colour of a region of a person, in linear light. */
export const DYES_GLSL = `
uniform sampler2D dyes;
vec3 dyed(float slot, int region, float mode, vec3 paint) {
  int person = int(slot + 0.5);
  vec3 own = texelFetch(dyes, ivec2((person % ${DYES_PER_ROW}) * ${DYES_PER_PERSON} + region, person / ${DYES_PER_ROW}), 0).rgb;
  if (mode > 1.5) return mix(own, paint, ${PAINTED});
  return mode > 0.5 && region == ${TOP} ? paint : own;
}`;

/** Many copies of a mesh with a few numbers each, which are named in columns. */
export class Columns {
  readonly mesh: Mesh;
  readonly geometry = new InstancedBufferGeometry();
  count = 0;
  private room = 0;
  private readonly stride: number;
  private numbers = new Float32Array(0);
  private buffer: InstancedInterleavedBuffer | null = null;

  constructor(
    private readonly columns: [name: string, size: number][],
    material: Material,
  ) {
    this.stride = columns.reduce((sum, [, size]) => sum + size, 0);
    this.geometry.instanceCount = 0;
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  begin(): void {
    this.count = 0;
  }

  /** Adds a copy; `numbers` are those of all columns, one after the other. */
  push(numbers: readonly number[]): void {
    if (this.count >= this.room) this.makeRoom(Math.max(64, 2 * this.room));
    this.numbers.set(numbers, this.stride * this.count++);
  }

  /** Changes a number of the copy that was added last. */
  amend(column: number, value: number): void {
    if (this.count > 0) this.numbers[this.stride * (this.count - 1) + column] = value;
  }

  end(): void {
    this.geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    if (!this.buffer || this.count === 0) return;
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, this.count * this.stride);
    this.buffer.needsUpdate = true;
  }

  private makeRoom(room: number): void {
    this.room = room;
    const numbers = new Float32Array(room * this.stride);
    numbers.set(this.numbers);
    this.numbers = numbers;
    // The card's old buffer is of another size.
    this.geometry.dispose();
    this.buffer = new InstancedInterleavedBuffer(numbers, this.stride);
    this.buffer.setUsage(DynamicDrawUsage);
    let offset = 0;
    for (const [name, size] of this.columns) {
      this.geometry.setAttribute(name, new InterleavedBufferAttribute(this.buffer, size, offset));
      offset += size;
    }
  }
}

/** Copies of the mesh that poses of a look are made of. Where vertices are is read from `baked`. */
export function bakedCopies(body: BodyMesh, columns: [name: string, size: number][], material: Material): Columns {
  const copies = new Columns(columns, material);
  // Neither is ever read, but without positions nothing is drawn, and without normals light is that of flat triangles.
  copies.geometry.setAttribute("position", new BufferAttribute(body.positions, 3));
  copies.geometry.setAttribute("normal", new BufferAttribute(body.normals, 3, true));
  copies.geometry.setAttribute("region", new BufferAttribute(Float32Array.from(body.regions), 1));
  copies.geometry.setIndex(new BufferAttribute(body.index, 1));
  return copies;
}
