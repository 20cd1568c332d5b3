import { createHash } from 'node:crypto';
import { refuseConflict } from '../http/refusals.ts';
import { checkPng, isAnimatedPng, rewritePng } from '../printing/png.ts';
import { rebuildSvg } from './logo-svg.ts';

/** Document 1, section 2.6: logos are shown at most so large, in CSS pixels. */
const shown = { width: 163, height: 48 };
/** Pixels of a PNG in both directions: enough for screens of four times the density. */
const most = { width: 4 * shown.width, height: 4 * shown.height };
/** Bytes of a file as it is sent. */
export const largestLogo = 100_000;

export const logoTypes = ['image/png', 'image/svg+xml'] as const;
export type Logo = {
  /** SHA-256 of the content, base64url. */
  readonly id: string;
  readonly type: (typeof logoTypes)[number];
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
};

function readPngLogo(bytes: Buffer): Pick<Logo, 'content' | 'width' | 'height'> {
  // Said by the header before anything is unpacked: pixels of a bomb are never in memory.
  const isHeader = bytes.length > 33 && bytes.toString('latin1', 12, 16) === 'IHDR';
  if (isHeader && (bytes.readUInt32BE(16) > most.width || bytes.readUInt32BE(20) > most.height))
    throw refuseConflict('LogoPixels', { Width: String(most.width), Height: String(most.height) });
  const png = checkPng(bytes);
  if (!png) throw refuseConflict('LogoUnreadable');
  if (isAnimatedPng(png)) throw refuseConflict('LogoAnimated');
  return rewritePng(png);
}

/**
 * Makes a logo of a file: an SVG is rebuilt from an allow-list, a PNG written anew from its pixels, and its size is what
 * it is shown at, within 163 by 48. Throws a refusal for what is too large, unreadable, moving, or runs or fetches
 * anything.
 */
export function readLogoFile(type: Logo['type'], bytes: Buffer): Logo {
  if (bytes.length > largestLogo) throw refuseConflict('LogoLarge', { Most: '100 kB' });
  const { content, width, height } = type === 'image/png' ? readPngLogo(bytes) : rebuildSvg(bytes);
  const fit = Math.min(shown.width / width, shown.height / height);
  const scale = type === 'image/png' ? Math.min(1, fit) : fit;
  const [shownWidth, shownHeight] = [width, height].map(length => Math.max(1, Math.round(length * scale)));
  const id = createHash('sha256').update(content).digest('base64url');
  return { id, type, content, width: shownWidth!, height: shownHeight! };
}
