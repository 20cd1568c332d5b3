import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { endingsOf, kindsOf } from '../../../shared/language/file-types.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { useForm } from '../../runtime/forms/form-context.ts';
import type { FormStore } from '../../runtime/state/form-types.ts';
import { usePortalObject } from '../../runtime/state/portal.ts';
import type { Control } from '../field/control.tsx';
import { makePng } from './make-png.ts';
import { sendFile } from './send-file.ts';

/** The file that a form holds; as its value, the file is its name. */
const chosen = new WeakMap<FormStore, File>();

/** The media type among those of the field that a file has by its ending. */
const typeOf = ({ types = [] }: FieldNode, { name }: File): string | undefined =>
  types.find(type => endingsOf(type).some(ending => name.toLowerCase().endsWith(ending)));

/** Why files are not taken, as a word of the runtime: `file.<fault>`. */
function faultOf(field: FieldNode, files: readonly File[]): 'one' | 'type' | 'large' | 'empty' | undefined {
  const [file] = files;
  if (!file || files.length > 1) return 'one';
  if (typeOf(field, file) === undefined) return 'type';
  if (file.size > (field.maxBytes ?? 0)) return 'large';
  return file.size === 0 ? 'empty' : undefined;
}

/** A size as people read it: the format "bytes" begins with megabytes. */
function writeSize(bytes: number, locale: string, format: Control['speech']['format']): string {
  if (bytes >= 1_048_576) return format(bytes, 'bytes');
  const kilobytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
  return kilobytes.format(Math.ceil(bytes / 1024));
}

/**
 * The input of a file field: a native file input in a zone where files can be dropped. The file is sent with the form.
 */
export function FileControl({ field, id, value, speech, isOff, isWrong, describedBy, onValue }: Control): ReactNode {
  const portal = usePortalObject();
  const form = useForm() as FormStore;
  const [share, setShare] = useState<number>();
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { propertyName, testId, types = [] } = field;
  const { word, format } = speech;
  const file = value === undefined ? undefined : chosen.get(form);
  const sizeOf = (bytes: number): string => writeSize(bytes, portal.boot.get().principal.locale, format);
  const isSending = share !== undefined;
  const limits = { kinds: kindsOf(types), size: sizeOf(field.maxBytes ?? 0) };
  const hint = `${id}-limits`;

  useEffect(() => {
    form.post = (...call) => {
      const sent = chosen.get(form) as File;
      setShare(0);
      const type = typeOf(field, sent) as string;
      return sendFile({ portal, file: sent, type, onProgress: setShare }, ...call).finally(() => setShare(undefined));
    };
    return () => {
      form.post = undefined;
    };
  }, [form, portal, field]);

  async function choose(given: readonly File[]): Promise<void> {
    const made = field.picture && given.length === 1 ? await makePng(given[0] as File, field.picture) : undefined;
    const files = made ? [made] : given;
    const fault = faultOf(field, files);
    // Another file of the same name is another value.
    onValue(undefined);
    chosen.delete(form);
    if (fault === undefined) {
      chosen.set(form, files[0] as File);
      onValue(files[0]?.name);
    } else form.refuse({ [propertyName]: [word(`file.${fault}`, limits)] });
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    if (!isSending && !isOff) void choose([...event.dataTransfer.files]);
  }

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
          accept={field.picture ? 'image/*' : [...types, ...types.flatMap(endingsOf)].join(',')}
          disabled={isOff || isSending || undefined}
          required={field.mandatory}
          aria-invalid={isWrong || undefined}
          aria-describedby={`${describedBy ?? ''} ${hint}`.trim()}
          data-testid={testId}
          onChange={event => {
            const files = [...(event.target.files ?? [])];
            // Who closes the choice without one keeps what was chosen before. The same file can be chosen again.
            event.target.value = '';
            if (files.length > 0) void choose(files);
          }}
        />
        <label className="button" htmlFor={id}>
          <Icon name="upload" />
          <span className="button__text">{word(file ? 'file.other' : 'file.choose')}</span>
        </label>
        {!file && <span>{word('file.drop')}</span>}
        <span id={hint} className="field__hint">
          {word('file.limits', limits)}
        </span>
      </div>
      <div role="status">
        {file && (
          <div className="row" data-testid={partId(testId, 'chosen')}>
            <Icon name="file" />
            <b>{file.name}</b>
            <span className="field__hint">{sizeOf(file.size)}</span>
            {!isSending && (
              <button
                className="button button--icon button--quiet"
                type="button"
                aria-label={word('file.remove', { name: file.name })}
                data-testid={partId(testId, 'remove')}
                onClick={() => {
                  chosen.delete(form);
                  onValue(undefined);
                  input.current?.focus();
                }}
              >
                <Icon name="x" />
              </button>
            )}
          </div>
        )}
        {share === 1 && word('file.sent')}
      </div>
      {isSending && share < 1 && (
        <label className="row">
          <progress value={share} max={1} data-testid={partId(testId, 'progress')} />
          {word('file.sending', { percent: Math.floor(share * 100) })}
        </label>
      )}
    </div>
  );
}
