/**
 * ZIP files without compression: images are compressed already.
 *
 * Local headers, the files, the central directory and its end, as in APPNOTE 6.3; names are UTF-8. No
 * ZIP64: 4 GiB and 65,535 files are refused.
 */

export interface ZipFile {
  name: string;
  data: Uint8Array;
}

/** 1 January 1980, the earliest date a ZIP knows: the same files give the same bytes. */
const DATE = (1 << 5) | 1;
const UTF8_NAMES = 0x0800;

export function zip(files: ZipFile[]): Uint8Array<ArrayBuffer> {
  if (files.length > 0xffff) throw new RangeError("a ZIP file holds at most 65,535 files");
  const encoded = files.map((file) => ({ ...file, nameBytes: new TextEncoder().encode(file.name), crc: crc32(file.data) }));
  const size = encoded.reduce((sum, f) => sum + 30 + 46 + 2 * f.nameBytes.length + f.data.length, 22);
  if (size > 0xffff_ffff) throw new RangeError("a ZIP file holds at most 4 GiB");
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  let at = 0;
  const u16 = (value: number) => {
    view.setUint16(at, value, true);
    at += 2;
  };
  const u32 = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const raw = (bytes: Uint8Array) => {
    out.set(bytes, at);
    at += bytes.length;
  };
  const common = (f: (typeof encoded)[number]) => {
    u16(20); // version needed
    u16(UTF8_NAMES);
    u16(0); // stored
    u16(0); // midnight
    u16(DATE);
    u32(f.crc);
    u32(f.data.length);
    u32(f.data.length);
    u16(f.nameBytes.length);
    u16(0); // no extra field
  };
  const offsets: number[] = [];
  for (const f of encoded) {
    offsets.push(at);
    u32(0x04034b50);
    common(f);
    raw(f.nameBytes);
    raw(f.data);
  }
  const directory = at;
  encoded.forEach((f, i) => {
    u32(0x02014b50);
    u16(20); // version made by
    common(f);
    u16(0); // no comment
    u16(0); // first disk
    u16(0); // internal attributes
    u32(0); // external attributes
    u32(offsets[i]!);
    raw(f.nameBytes);
  });
  const directorySize = at - directory;
  u32(0x06054b50);
  u16(0);
  u16(0);
  u16(files.length);
  u16(files.length);
  u32(directorySize);
  u32(directory);
  u16(0);
  return out;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

export function crc32(data: Uint8Array): number {
  let c = 0xffff_ffff;
  for (const byte of data) c = TABLE[(c ^ byte) & 255]! ^ (c >>> 8);
  return (c ^ 0xffff_ffff) >>> 0;
}
