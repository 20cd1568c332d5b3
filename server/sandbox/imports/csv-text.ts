import { Transform } from 'node:stream';
import { CsvError } from 'csv-parse';
import { CsvError as SyncCsvError } from 'csv-parse/sync';

/** Why a file cannot be read as CSV, in a sentence for whoever sent it. */
export class UnreadableFile extends Error {}

/** Bytes that a file is recognised by, and that a line may have before it is decoded as it stands. */
const sniffed = 4096;
const longestLine = 1024 * 1024;

type Encoding = 'utf-16le' | 'utf-16be' | 'utf-8' | 'windows-1252';

/** The first bytes of files of other kinds, and what these are called. */
const otherFiles: readonly (readonly [start: string, said: string])[] = [
  ['\x1f\x8b', 'compressed'],
  ['BZh', 'compressed'],
  ['\xfd7zXZ', 'compressed'],
  ['7z\xbc\xaf', 'compressed'],
  ['\x28\xb5\x2f\xfd', 'compressed'],
  ['PK\x03\x04', 'a workbook or an archive, not a CSV file'],
  ['\xd0\xcf\x11\xe0', 'a workbook, not a CSV file'],
  ['PAR1', 'a Parquet file, not a CSV file'],
  ['%PDF', 'a PDF, not a CSV file'],
];

/**
 * Recognises a file by its first bytes: text as spreadsheets save it, in UTF-16 with or without a mark, or else in UTF-8,
 * until a line is not.
 * @throws {UnreadableFile} for what is no text
 */
function encodingOf(head: Buffer): Encoding {
  const start = head.toString('latin1', 0, 8);
  const [, said] = otherFiles.find(([begin]) => start.startsWith(begin)) ?? [];
  if (said !== undefined)
    throw new UnreadableFile(
      said === 'compressed' ? 'This file is compressed. Unpack it first.' : `This is ${said}. Save it as CSV first.`,
    );
  if (start.startsWith('\xff\xfe\0\0') || start.startsWith('\0\0\xfe\xff'))
    throw new UnreadableFile('This file is in UTF-32. Save it as UTF-8 first.');
  if (start.startsWith('\xff\xfe')) return 'utf-16le';
  if (start.startsWith('\xfe\xff')) return 'utf-16be';
  // In UTF-16 the first byte or the second one of nearly every character of a table is zero.
  const zeros = [0, 0];
  for (const [place, byte] of head.entries()) if (byte === 0) zeros[place % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 4 && even === 0) return 'utf-16le';
  if (even > head.length / 4 && odd === 0) return 'utf-16be';
  if (even + odd > head.length / 100) throw isNoText();
  return 'utf-8';
}

const isNoText = () => new UnreadableFile('This is no CSV file.');

/**
 * Decodes a file part by part, each of whole lines where it is not in UTF-16. What is no UTF-8 is in the code page of old
 * Windows, but where lines before were UTF-8 beyond ASCII.
 * @throws {UnreadableFile} where characters would be lost, by the line
 */
function createDecoder(head: Buffer): (bytes: Buffer, isLast: boolean) => string {
  let encoding = encodingOf(head);
  let lines = 0;
  // A mark says that all of it is.
  let isBeyondAscii = head.subarray(0, 3).equals(Buffer.from('\ufeff'));
  const wide = encoding.startsWith('utf-16') ? new TextDecoder(encoding, { fatal: true }) : undefined;

  const decodeWide = (bytes: Buffer, isLast: boolean): string => {
    try {
      return wide!.decode(bytes, { stream: !isLast });
    } catch {
      throw new UnreadableFile(`This file is in UTF-16, and damaged after line ${lines + 1}.`);
    }
  };
  const decodeLine = (line: Buffer, place: number): string => {
    if (encoding === 'utf-8')
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(line);
        isBeyondAscii ||= text.length !== line.length;
        return text;
      } catch {
        if (isBeyondAscii) throw new UnreadableFile(`Line ${place} is not in UTF-8, as the lines before it are.`);
        encoding = 'windows-1252';
      }
    if (line.some(byte => undefinedIn1252.has(byte)))
      throw new UnreadableFile(`Line ${place} is neither in UTF-8 nor in Windows-1252. Save the file as UTF-8.`);
    return line.toString('latin1').replace(/[\x80-\x9f]/g, sign => of1252[sign.charCodeAt(0) - 0x80]!);
  };
  const decodeLines = (bytes: Buffer): string => {
    if (encoding === 'utf-8')
      try {
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
        isBeyondAscii ||= text.replace('\ufeff', '').length !== bytes.length;
        return lines === 0 ? text.replace(/^\ufeff/, '') : text;
      } catch {
        // One of its lines is not, which is told or shows what it is in.
      }
    return splitLines(bytes)
      .map((line, place) => decodeLine(line, lines + place + 1))
      .join('');
  };
  return (bytes, isLast) => {
    const text = wide ? decodeWide(bytes, isLast) : decodeLines(bytes);
    const lost = text.indexOf('\ufffd');
    const countLines = (of: string): number => of.split('\n').length - 1;
    if (lost >= 0)
      throw new UnreadableFile(
        `Line ${lines + countLines(text.slice(0, lost)) + 1} has a character that was lost (\ufffd) when the file was saved.`,
      );
    lines += countLines(text);
    return text;
  };
}

/** The characters of Windows-1252 from 0x80 on, which Node 20 decodes as the control characters of Latin-1. */
const of1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
/** Bytes that it has no character for. */
const undefinedIn1252: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const next = end === -1 ? bytes.length : end + 1;
    lines.push(bytes.subarray(at, next));
    at = next;
  }
  return lines;
}

/** Decodes a whole file. @throws {UnreadableFile} for what is no text, such as one with a zero in it */
export function decodeText(file: Buffer): string {
  const text = createDecoder(file.subarray(0, sniffed))(file, true);
  if (text.includes('\0')) throw isNoText();
  return text;
}

/**
 * Decodes a file as it streams in, line by line; the stream fails with an `UnreadableFile` for what is no text. Single
 * zeros come through, for the reader to tell by their line.
 */
export function decodeStream(): Transform {
  let waiting = Buffer.alloc(0);
  let decode: ReturnType<typeof createDecoder> | undefined;
  const take = (chunk: Buffer, isLast: boolean): string => {
    waiting = Buffer.concat([waiting, chunk]);
    if (decode === undefined && !isLast && waiting.length < sniffed) return '';
    decode ??= createDecoder(waiting.subarray(0, sniffed));
    const end = isLast || waiting.length > longestLine ? waiting.length : waiting.lastIndexOf(10) + 1;
    const whole = waiting.subarray(0, end);
    waiting = waiting.subarray(end);
    return decode(whole, isLast);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      act(this, () => take(chunk, false), done);
    },
    flush(done) {
      act(this, () => take(Buffer.alloc(0), true), done);
    },
  });
}

function act(stream: Transform, take: () => string, done: (error?: Error) => void): void {
  try {
    stream.push(take());
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}

/** Sentences by the parser's error codes; codes of one meaning share a sentence. */
const meanings: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'a quote stands inside a value. Put the whole value in quotes, and double those in it',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote. Double the quotes inside a value',
  CSV_QUOTE_NOT_CLOSED: 'a value opens a quote that nothing closes',
  CSV_MAX_RECORD_SIZE: 'the line is too long: check its quotes and line breaks',
};

/** Says what the parser found wrong with a CSV file, with line and column; undefined for another error. */
export function describeCsvError(error: unknown): string | undefined {
  if (!(error instanceof CsvError || error instanceof SyncCsvError)) return undefined;
  const { code, lines, column } = error as { code: string; lines?: number; column?: number | string };
  const place = typeof column === 'number' ? `, column ${column + 1}` : '';
  return `Line ${lines ?? 1}${place}: ${meanings[code] ?? 'this is no CSV'}.`;
}
