import { type DragEvent, type ReactNode, useEffect, useReducer, useRef, useState } from 'react';
import { endingsOf, kindsOf } from '../../../shared/language/file-types.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { useForm } from '../../runtime/forms/form-context.ts';
import type { FormStore } from '../../runtime/state/form-types.ts';
import { usePortalObject } from '../../runtime/state/portal.ts';
import type { Control } from '../field/control.tsx';
import { HeldFileRow } from './held-file-row.tsx';
import { type HeldFile, heldFiles, holdFiles, namesOf, sendHeldFiles, typeOf } from './held-files.ts';
import { makePng } from './make-png.ts';

type Fault = 'type' | 'large' | 'empty';

/** Why a file is not taken, as a word of the runtime: `file.<fault>`. */
function faultOf(field: FieldNode, file: File | undefined): Fault | undefined {
  if (!file || typeOf(field, file) === undefined) return 'type';
  if (file.size > (field.maxBytes ?? 0)) return 'large';
  return file.size === 0 ? 'empty' : undefined;
}

const isSameFile = (a: File, b: File): boolean =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

/**
 * The input of a file field: a native file input in a zone where files can be dropped. The files are sent with the form.
 */
export function FileControl({ field, id, value, speech, isOff, isWrong, describedBy, onValue }: Control): ReactNode {
  const portal = usePortalObject();
  const form = useForm() as FormStore;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [isSending, setSending] = useState(false);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { propertyName, testId, types = [], files: most = 1 } = field;
  const { word, format } = speech;
  const isMany = most > 1;
  const files = value === undefined ? [] : heldFiles(form);
  const sizeOf = (bytes: number): string => format(bytes, 'bytes');
  const limits = { kinds: kindsOf(types), size: sizeOf(field.maxBytes ?? 0), most };
  const hint = `${id}-limits`;
  const share = isMany ? undefined : files[0]?.share;

  useEffect(() => {
    form.sendFiles = send => {
      setSending(true);
      return sendHeldFiles({ portal, form, field, onChange: redraw }, send).finally(() => setSending(false));
    };
    return () => {
      form.sendFiles = undefined;
    };
  }, [form, portal, field]);

  function hold(next: readonly HeldFile[]): void {
    // Another file of the same name is another value.
    onValue(undefined);
    holdFiles(form, next);
    onValue(namesOf(next));
    redraw();
  }

  async function choose(given: readonly File[]): Promise<void> {
    if (!isMany && given.length !== 1) {
      hold([]);
      form.refuse({ [propertyName]: [word('file.one', limits)] });
      return;
    }
    const before = isMany ? [...files] : [];
    const faults: string[] = [];
    for (const found of given) {
      const file = field.picture ? await makePng(found, field.picture) : found;
      const fault = faultOf(field, file);
      const why = fault && word(`file.${fault}`, limits);
      if (why) faults.push(isMany ? word('file.fault', { name: found.name, why }) : why);
      else if (file && !before.some(one => isSameFile(one.file, file))) before.push({ file });
    }
    if (before.length > most) faults.push(word('file.many', limits));
    hold(before.slice(0, most));
    if (faults.length > 0) form.refuse({ [propertyName]: faults });
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    if (!isSending && !isOff) void choose([...event.dataTransfer.files]);
  }

  const words = isMany
    ? {
        choose: files.length > 0 ? 'file.chooseMore' : 'file.chooseMany',
        drop: 'file.dropMany',
        limits: 'file.limitsMany',
      }
    : { choose: files.length > 0 ? 'file.other' : 'file.choose', drop: 'file.drop', limits: 'file.limits' };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same without a pointer.
    <div
      className="check--box"
      style={{
        display: 'grid',
        gap: 'var(--s-2)',
        ...(isOver ? { background: 'var(--accent-wash)' } : { borderStyle: 'dashed' }),
      }}
      data-testid={partId(testId, 'zone')}
      onDragOver={event => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className="row">
        <input
          ref={input}
          id={id}
          name={propertyName}
          className="visually-hidden"
          type="file"
          multiple={isMany}
          accept={field.picture ? 'image/*' : [...types, ...types.flatMap(endingsOf)].join(',')}
          disabled={isOff || isSending || undefined}
          required={field.mandatory}
          aria-invalid={isWrong || undefined}
          aria-describedby={`${describedBy ?? ''} ${hint}`.trim()}
          data-testid={testId}
          onChange={event => {
            const chosen = [...(event.target.files ?? [])];
            // Who closes the choice without one keeps what was chosen before. The same file can be chosen again.
            event.target.value = '';
            if (chosen.length > 0) void choose(chosen);
          }}
        />
        <label className="button" htmlFor={id}>
          <Icon name="upload" />
          <span className="button__text">{word(words.choose)}</span>
        </label>
        {(isMany || files.length === 0) && <span>{word(words.drop)}</span>}
        <span id={hint} className="field__hint">
          {word(words.limits, limits)}
        </span>
      </div>
      <div role="status" style={{ display: 'grid', gap: 'var(--s-2)' }}>
        {files.map((held, index) => (
          <HeldFileRow
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name.
            key={`${index} ${held.file.name}`}
            held={held}
            size={sizeOf(held.file.size)}
            word={word}
            isMany={isMany}
            testId={testId}
            // Of several, what was not begun can still be taken out; what was taken is no longer of this form.
            remove={
              !held.isTaken && (!isSending || (isMany && held.share === undefined))
                ? () => {
                    hold(files.filter(other => other !== held));
                    input.current?.focus();
                  }
                : undefined
            }
          />
        ))}
        {share === 1 && word('file.sent')}
      </div>
      {share !== undefined && share < 1 && (
        <label className="row">
          <progress value={share} max={1} data-testid={partId(testId, 'progress')} />
          {word('file.sending', { percent: Math.floor(share * 100) })}
        </label>
      )}
    </div>
  );
}
