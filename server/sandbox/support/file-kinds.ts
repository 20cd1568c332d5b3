import { endingsOf, type FileType, kindsOf } from '../../../shared/language/file-types.ts';
import { refuseField } from '../http/refusals.ts';

/** Kinds of files that a ticket takes. */
export const attachmentTypes = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'application/pdf',
  'text/plain',
  'text/csv',
  'message/rfc822',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/zip',
] as const satisfies readonly FileType[];
export type AttachmentType = (typeof attachmentTypes)[number];

/** So many bytes of a file are looked at to judge what it is. */
export const headBytes = 65_536;

const startsWith = (head: Buffer, ...bytes: readonly number[]): boolean =>
  bytes.every((byte, index) => head[index] === byte);
const isZip = (head: Buffer): boolean => head.subarray(0, 4).toString('latin1') === 'PK\x03\x04';
const isOffice = (folder: string) => (head: Buffer) =>
  isZip(head) && (head.includes('[Content_Types].xml') || head.includes(`${folder}/`));

/** Whether a file begins as one of its kind does; texts are looked at whole, by `TextJudge`. */
const begins: Readonly<
  Record<Exclude<AttachmentType, 'text/plain' | 'text/csv' | 'message/rfc822'>, (head: Buffer) => boolean>
> = {
  'image/png': head => startsWith(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  'image/jpeg': head => startsWith(head, 0xff, 0xd8, 0xff),
  'image/webp': head => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  'application/pdf': head => head.subarray(0, 1024).includes('%PDF-'),
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': isOffice('word'),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': isOffice('xl'),
  'application/zip': isZip,
};

/** True for programs of Windows, Linux and macOS, and for scripts that run by themselves. */
function isProgram(head: Buffer): boolean {
  if (startsWith(head, 0x4d, 0x5a) || startsWith(head, 0x7f, 0x45, 0x4c, 0x46) || startsWith(head, 0x23, 0x21))
    return true;
  return [0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe].includes(
    head.length < 4 ? 0 : head.readUInt32BE(),
  );
}

/** True for web pages and drawings, which can carry scripts, whatever they are called. */
function isMarkup(head: Buffer): boolean {
  const begin = head.toString('utf8', 0, 2048).replace(/^\uFEFF/, '');
  const bare = begin.replace(/<!--.*?-->|<\?xml[^>]*>/gs, '').trimStart();
  return /^<(?:!doctype\s+(?:html|svg)|html|head|body|script|svg|iframe)\b/i.test(bare);
}

/** Refuses texts that are none: bytes that are not UTF-8, or the character NUL. */
class TextJudge {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  isText = true;
  take(bytes: Buffer, isLast: boolean): void {
    if (!this.isText) return;
    try {
      this.#decoder.decode(bytes, { stream: !isLast });
      this.isText = !bytes.includes(0);
    } catch {
      this.isText = false;
    }
  }
}

/** Judges by its content whether a file is of the kind that its name says. */
export class KindJudge {
  readonly #type: AttachmentType;
  readonly #text: TextJudge | undefined;
  #head = Buffer.alloc(0);

  constructor(type: AttachmentType) {
    this.#type = type;
    this.#text = type in begins ? undefined : new TextJudge();
  }

  take(bytes: Buffer): void {
    if (this.#head.length < headBytes)
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, headBytes - this.#head.length)]);
    this.#text?.take(bytes, false);
  }

  /** To be called after the last part. @throws {CloudError} 400 with why the file is not taken */
  judge(): void {
    const head = this.#head;
    if (head.length === 0) throw refuseField('File', 'AttachmentEmpty');
    if (isProgram(head)) throw refuseField('File', 'AttachmentProgram');
    if (isMarkup(head)) throw refuseField('File', 'AttachmentMarkup');
    this.#text?.take(Buffer.alloc(0), true);
    const isRight = this.#text ? this.#text.isText : begins[this.#type as keyof typeof begins](head);
    if (!isRight) throw refuseField('File', 'AttachmentNotAsNamed', { Kind: kindsOf([this.#type]) });
  }
}

/** The kind that a name's ending says; undefined for one that tickets do not take. */
export const typeOfName = (name: string): AttachmentType | undefined =>
  attachmentTypes.find(type => endingsOf(type).some(ending => name.toLowerCase().endsWith(ending)));
