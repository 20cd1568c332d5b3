type Size = { readonly width: number; readonly height: number };

/** Pictures whose pixels are more than this are not drawn: they could take the memory of a phone. */
const mostPixels = 40_000_000;

/**
 * Makes a PNG of any picture that the browser can show, at most of this size and in its proportions; of one that moves,
 * its first frame. An SVG, and a PNG that is small enough, stay as they are. Undefined for what is no picture.
 */
export async function makePng(file: File, most: Size): Promise<File | undefined> {
  if (file.type === 'image/svg+xml' || file.name.toLowerCase().endsWith('.svg')) return file;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture || picture.width * picture.height > mostPixels) return undefined;
  const scale = Math.min(1, most.width / picture.width, most.height / picture.height);
  if (scale === 1 && file.type === 'image/png') return file;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const content = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'));
  return content ? new File([content], file.name.replace(/\.\w+$|$/, '.png'), { type: 'image/png' }) : undefined;
}
