import { crc32, deflateSync, inflateSync } from 'node:zlib';

const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostBytes = 100_000;
const mostPixels = 2000;
/** Bits of a pixel for one bit of depth, by colour type (PNG, section 11.2.2). */
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * The bytes behind `data:image/png;base64,…` if they are a whole picture: every chunk with its checksum, at most
 * 2000 by 2000 pixels and 100 kB, and pixels that unpack to exactly its size, so that no reader is led astray.
 */
export function readPng(dataUrl: string): Buffer | undefined {
  const encoded = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/.exec(dataUrl)?.[1];
  return encoded === undefined ? undefined : checkPng(Buffer.from(encoded, 'base64'));
}

/** As `readPng`, for the bytes themselves. */
export function checkPng(bytes: Buffer): Buffer | undefined {
  if (bytes.length > mostBytes || !bytes.subarray(0, 8).equals(magic)) return undefined;
  const chunks = readChunks(bytes);
  const header = chunks?.[0];
  if (chunks?.at(-1)?.type !== 'IEND' || header?.type !== 'IHDR' || header.data.length !== 13) return undefined;
  const size = unpackedSize(header.data);
  const pixels = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  return size !== undefined && unpacksTo(Buffer.concat(pixels), size) ? bytes : undefined;
}

/**
 * True when at least `least` pixels of a picture that `readPng` accepted differ from its first pixel, the background.
 * Pixels smaller than a byte are counted by bytes.
 */
export function hasInk(png: Buffer, least: number): boolean {
  let background: Buffer | undefined;
  let count = 0;
  for (const { row, pixelBytes } of rowsOf(readChunks(png) ?? [])) {
    background ??= row.subarray(0, pixelBytes);
    for (let at = 0; at < row.length; at += pixelBytes)
      if (row.compare(background, 0, pixelBytes, at, at + pixelBytes) !== 0) count += 1;
    if (count >= least) return true;
  }
  return false;
}

/** Gives the rows of a picture, from above, each as the bytes of its pixels; `pixelBytes` is 1 for smaller pixels. */
function* rowsOf(chunks: readonly Chunk[]): Generator<{ readonly row: Buffer; readonly pixelBytes: number }> {
  const header = chunks[0]!.data;
  const pixels = inflateSync(Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []))));
  const bits = samples[header[9]!]! * header[8]!;
  const pixelBytes = Math.max(1, bits / 8);
  const length = Math.ceil((header.readUInt32BE(0) * bits) / 8);
  let above: Buffer = Buffer.alloc(length);
  for (let start = 0; start < pixels.length; start += length + 1) {
    const row = pixels.subarray(start + 1, start + 1 + length);
    unfilter(row, above, pixels[start]!, pixelBytes);
    yield { row, pixelBytes };
    above = row;
  }
}

/** True for a PNG with several frames (APNG), whose chunk stands before its pixels. */
export const isAnimatedPng = (png: Buffer): boolean => (readChunks(png) ?? []).some(({ type }) => type === 'acTL');

/**
 * Writes a picture that `checkPng` accepted anew, from its pixels, palette and transparency alone: what else a file may
 * carry (texts, profiles, positions, further frames, bytes behind its end) is left behind. Gives it with its size.
 */
export function rewritePng(png: Buffer): { readonly content: Buffer; readonly width: number; readonly height: number } {
  const chunks = readChunks(png) ?? [];
  const header = chunks[0]!.data;
  const none = Buffer.alloc(1);
  const pixels = Buffer.concat([...rowsOf(chunks)].flatMap(({ row }) => [none, row]));
  const kept = ['PLTE', 'tRNS'].flatMap(name => chunks.filter(({ type }) => type === name).slice(0, 1));
  const written = [
    { type: 'IHDR', data: header },
    ...kept,
    { type: 'IDAT', data: deflateSync(pixels, { level: 9 }) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ];
  const content = Buffer.concat([magic, ...written.map(writeChunk)]);
  return { content, width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
}

function writeChunk({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** Turns a row, which holds differences to its neighbours, into what it stands for (PNG, section 9). */
function unfilter(row: Buffer, above: Buffer, filter: number, pixelBytes: number): void {
  if (filter === 0) return;
  for (let at = 0; at < row.length; at += 1) {
    const left = at < pixelBytes ? 0 : row[at - pixelBytes]!;
    const up = above[at]!;
    const corner = at < pixelBytes ? 0 : above[at - pixelBytes]!;
    if (filter === 1) row[at]! += left;
    else if (filter === 2) row[at]! += up;
    else if (filter === 3) row[at]! += (left + up) >> 1;
    else row[at]! += nearest(left, up, corner);
  }
}

/** The neighbour that is next to what a straight slope would give (PNG, section 9.4, Paeth). */
function nearest(left: number, up: number, corner: number): number {
  const slope = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(slope - left), Math.abs(slope - up), Math.abs(slope - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

type Chunk = { readonly type: string; readonly data: Buffer };

function readChunks(bytes: Buffer): Chunk[] | undefined {
  const chunks = [];
  for (let at = 8; at < bytes.length; ) {
    if (at + 12 > bytes.length) return undefined;
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined;
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

/** Each row has one byte more, its filter. Interlaced pictures are not taken. */
function unpackedSize(header: Buffer): number | undefined {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bits = (samples[header[9]!] ?? 0) * header[8]!;
  const isSane = width > 0 && height > 0 && width <= mostPixels && height <= mostPixels && bits > 0 && bits <= 64;
  return isSane && header[12] === 0 ? (Math.ceil((width * bits) / 8) + 1) * height : undefined;
}

function unpacksTo(packed: Buffer, size: number): boolean {
  try {
    return inflateSync(packed, { maxOutputLength: size }).length === size;
  } catch {
    return false;
  }
}
