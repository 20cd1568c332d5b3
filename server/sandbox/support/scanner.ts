import { refuseField } from '../http/refusals.ts';

/** Looks through a file for something harmful, and gives its name; undefined where there is nothing. */
export type Scanner = (bytes: AsyncIterable<Buffer>, signal: AbortSignal) => Promise<string | undefined>;

/** Milliseconds that a scanner has for one file. */
export const scanPatience = 10_000;

/** The test file of the European Institute for Computer Antivirus Research, which every scanner finds and nobody is harmed by. */
const eicar = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-' + 'ANTIVIRUS-TEST-FILE!$H+H*';
/** A file with this in it keeps the scanner from answering, so that this can be tried too. */
const hangs = 'scanner-hangs.fail.test';

/** The stand-in of a virus scanner: it knows the EICAR file, wherever in a file it stands. */
export const standInScanner: Scanner = async (bytes, signal) => {
  const longest = Math.max(eicar.length, hangs.length);
  let before = Buffer.alloc(0);
  for await (const part of bytes) {
    const window = Buffer.concat([before, part]);
    if (window.includes(eicar)) return 'EICAR';
    if (window.includes(hangs)) await new Promise(resolve => signal.addEventListener('abort', resolve));
    before = Buffer.from(window.subarray(-longest));
  }
  return undefined;
};

/**
 * Has a file scanned within a time.
 * @throws {CloudError} 400 for one in which something was found, and where the scanner does not answer or fails: what was
 *   not scanned is not taken
 */
export async function scanFile(
  scanner: Scanner,
  bytes: AsyncIterable<Buffer>,
  milliseconds = scanPatience,
): Promise<void> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>(resolve => {
    timer = setTimeout(() => resolve('late'), milliseconds);
  });
  const scanned = scanner(bytes, stop.signal).then(
    found => ({ found }),
    () => 'failed' as const,
  );
  const ended = await Promise.race([scanned, late]);
  clearTimeout(timer);
  stop.abort();
  if (typeof ended === 'string') throw refuseField('File', 'ScannerSilent');
  if (ended.found !== undefined) throw refuseField('File', 'AttachmentInfected', { Found: ended.found });
}
