import { endingsOf } from '../../../shared/language/file-types.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import { withReference } from '../../runtime/effects/calls.ts';
import { faultReference } from '../../runtime/state/failure.ts';
import type { FormStore } from '../../runtime/state/form-types.ts';
import type { Portal } from '../../runtime/state/portal.ts';
import { speechFor } from '../../runtime/state/portal.ts';
import type { Answer, SendWith } from '../../runtime/state/post-call.ts';
import { sendFile } from './send-file.ts';

/** A file that a form holds. */
export type HeldFile = {
  readonly file: File;
  /** The share of it that has been sent, from 0 to 1, while it is. */
  share?: number | undefined;
  /** Why it was not taken when it was last sent. */
  refusal?: string | undefined;
  /** Reference number of a fault about which the user can do nothing. */
  reference?: string | undefined;
  isTaken?: boolean;
};

/** The files that a form holds; as the value of the form, they are their names. */
const held = new WeakMap<FormStore, HeldFile[]>();

export const heldFiles = (form: FormStore): readonly HeldFile[] => held.get(form) ?? [];
export const holdFiles = (form: FormStore, files: readonly HeldFile[]): void => void held.set(form, [...files]);
export const namesOf = (files: readonly HeldFile[]): string | undefined =>
  files.map(({ file }) => file.name).join(', ') || undefined;

/** The media type among those of the field that a file has by its ending. */
export const typeOf = ({ types = [] }: FieldNode, { name }: File): string | undefined =>
  types.find(type => endingsOf(type).some(ending => name.toLowerCase().endsWith(ending)));

/** True where an answer is no word on the file, so that the next file would have the same one. */
const endsAll = ({ status, envelope: { Resources } }: Answer): boolean =>
  [401, 403, 412, 429].includes(status) || Resources?.layout !== undefined || Resources?.code === 'SESSION_CHANGED';

/** Gives the words of a refusal of one file, with the reference number of a failure. */
function refusalOf(portal: Portal, { envelope }: Answer): string {
  const { Errors = {}, Messages, Error: said } = envelope;
  const atFields = Object.values(Errors).flat().join(' ');
  return withReference(
    portal,
    atFields || Messages?.[0] || said || speechFor(portal).word('error.unexpected'),
    envelope,
  );
}

type Sending = {
  readonly portal: Portal;
  readonly form: FormStore;
  readonly field: FieldNode;
  /** Told after every change of a file. */
  onChange(): void;
};

/**
 * Sends the files of a form one after the other. Of a field that takes several, a file that was taken is not sent again,
 * and a refusal stands with its file: the answer to the form says how many were not taken.
 */
export async function sendHeldFiles({ portal, form, field, onChange }: Sending, send: SendWith): Promise<Answer> {
  const { propertyName } = field;
  let taken: Answer = { status: 200, envelope: { Succeed: true } };
  const tried = new Set<HeldFile>();
  const next = () => heldFiles(form).find(one => !one.isTaken && !tried.has(one));
  for (let one = next(); one; one = next()) {
    const sent = one;
    tried.add(sent);
    const change = (changes: Partial<HeldFile>) => {
      Object.assign(sent, changes);
      onChange();
    };
    change({ share: 0, refusal: undefined, reference: undefined });
    const { file } = sent;
    const type = typeOf(field, file) as string;
    const answer = await send({ [propertyName]: file.name }, (...call) =>
      sendFile({ portal, file, type, onProgress: share => change({ share }) }, ...call),
    );
    change({ share: undefined });
    if (!field.files || endsAll(answer)) return answer;
    if (answer.envelope.Succeed) {
      taken = answer;
      change({ isTaken: true });
    } else change({ refusal: refusalOf(portal, answer), reference: faultReference(answer.status, answer.envelope) });
  }
  const count = heldFiles(form).filter(({ isTaken }) => !isTaken).length;
  if (count === 0) return taken;
  const text = speechFor(portal).word('file.notTaken', { count });
  // Lists of the files that were taken are read anew.
  const { effects = [] } = taken.envelope;
  return { status: 400, envelope: { Succeed: false, Errors: { [propertyName]: [text] }, effects } };
}
