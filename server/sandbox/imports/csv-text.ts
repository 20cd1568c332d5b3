import { Transform } from 'node:stream';
import { CsvError } from 'csv-parse';
import { CsvError as SyncCsvError } from 'csv-parse/sync';

/** Why a file cannot be read as CSV, in a sentence for whoever sent it. */
export class UnreadableFile extends Error {}

/** Bytes that a file is recognised by, and that a line may have before it is decoded as it stands. */
const sniffed = 4096;
const longestLine = 1024 * 1024;

type Encoding = 'utf-16le' | 'utf-16be' | 'lines';

/**
 * Recognises a file by its first bytes: text as spreadsheets save it, in UTF-16 with or without a mark, or in UTF-8 or
 * Windows-1252 (`lines`).
 * @throws {UnreadableFile} for what is no text
 */
function encodingOf(head: Buffer): Encoding {
  if (head[0] === 0x1f && head[1] === 0x8b) throw new UnreadableFile('This file is compressed. Unpack it first.');
  if (head.subarray(0, 4).equals(Buffer.from('PK\x03\x04')))
    throw new UnreadableFile('This is a workbook or an archive, not a CSV file. Save it as CSV first.');
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // In UTF-16 the first byte or the second one of nearly every character of a table is zero.
  const zeros = [0, 0];
  for (const [place, byte] of head.entries()) if (byte === 0) zeros[place % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 4 && even === 0) return 'utf-16le';
  if (even > head.length / 4 && odd === 0) return 'utf-16be';
  if (even + odd > head.length / 100) throw isNoText();
  return 'lines';
}

const isNoText = () => new UnreadableFile('This is no CSV file.');

/** Decodes whole lines: UTF-8, or else the code page of old Windows. */
function decodeLines(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Decodes a whole file. @throws {UnreadableFile} for what is no text, such as one with a zero in it */
export function decodeText(file: Buffer): string {
  const encoding = encodingOf(file.subarray(0, sniffed));
  const text = encoding === 'lines' ? decodeLines(file) : new TextDecoder(encoding).decode(file);
  if (text.includes('\0')) throw isNoText();
  return text;
}

/**
 * Decodes a file as it streams in, line by line; the stream fails with an `UnreadableFile` for what is no text. Single
 * zeros come through, for the reader to tell by their line.
 */
export function decodeStream(): Transform {
  let waiting = Buffer.alloc(0);
  let encoding: Encoding | undefined;
  let wide: TextDecoder | undefined;
  const take = (chunk: Buffer, isLast: boolean): string => {
    waiting = Buffer.concat([waiting, chunk]);
    if (encoding === undefined) {
      if (!isLast && waiting.length < sniffed) return '';
      encoding = encodingOf(waiting.subarray(0, sniffed));
      if (encoding !== 'lines') wide = new TextDecoder(encoding);
    }
    const end = isLast || wide || waiting.length > longestLine ? waiting.length : waiting.lastIndexOf(10) + 1;
    const whole = waiting.subarray(0, end);
    waiting = waiting.subarray(end);
    return wide ? wide.decode(whole, { stream: !isLast }) : decodeLines(whole);
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
