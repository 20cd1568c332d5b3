import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { FieldNode } from '../../shared/language/types.ts';
import { partId } from '../look/part-id.ts';
import { useChannel, useForm } from '../runtime/forms/form-context.ts';
import type { NodeProps } from '../runtime/page/registry.ts';
import type { FormStore } from '../runtime/state/form-types.ts';
import { useSpeech } from '../runtime/state/values.ts';
import { describe, drawError } from './field/parts.tsx';

/** Pixels of the image. */
const width = 600;
const height = 160;
const ink = '#14213d';
/** What a drawn signature has at least, in pixels of the image from point to point: a dot is none. */
const leastDrawn = 60;
/** … and a typed one, in letters. */
const leastTyped = 2;

/** A field for a signature, drawn with a pointer or typed; in both cases its value is an image. */
export function Signature({ node, scope }: NodeProps<'signature'>): ReactNode {
  const form = useForm() as FormStore;
  const speech = useSpeech();
  const field = node.children[0] as FieldNode;
  const { propertyName: name } = field;
  useChannel(form.channel(name));
  const id = `${form.id}-${name}`;
  const canvas = useRef<HTMLCanvasElement>(null);
  const last = useRef<readonly [number, number]>(undefined);
  const drawn = useRef(0);
  const [typed, setTyped] = useState('');

  // What was signed before the page was drawn anew is seen again.
  useEffect(() => {
    const value = form.value(name);
    if (typeof value !== 'string') return;
    const image = new Image();
    image.onload = () => canvas.current?.getContext('2d')?.drawImage(image, 0, 0);
    image.src = value;
  }, [form, name]);

  const pen = () => {
    const context = canvas.current?.getContext('2d');
    if (context) {
      context.strokeStyle = ink;
      context.fillStyle = ink;
      context.lineWidth = 3;
      context.lineCap = 'round';
      context.lineJoin = 'round';
    }
    return context;
  };
  const save = (isSignature: boolean) =>
    form.set(name, isSignature ? canvas.current?.toDataURL('image/png') : undefined);
  const empty = () => {
    canvas.current?.getContext('2d')?.clearRect(0, 0, width, height);
    drawn.current = 0;
  };
  const pointOf = ({ nativeEvent, currentTarget }: PointerEvent<HTMLCanvasElement>) =>
    [
      (nativeEvent.offsetX * width) / currentTarget.clientWidth,
      (nativeEvent.offsetY * height) / currentTarget.clientHeight,
    ] as const;
  const write = (text: string) => {
    setTyped(text);
    empty();
    const written = text.trim();
    const context = pen();
    if (context) {
      context.font = 'italic 56px cursive';
      context.textBaseline = 'middle';
      context.fillText(written, 16, height / 2, width - 32);
    }
    save([...written].length >= leastTyped);
  };
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    // It is drawn or typed, not one over the other.
    if (typed !== '') write('');
    event.currentTarget.setPointerCapture(event.pointerId);
    const [x, y] = pointOf(event);
    last.current = [x, y];
    const context = pen();
    context?.beginPath();
    context?.moveTo(x, y);
    context?.lineTo(x, y);
    context?.stroke();
  };
  const goOn = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!last.current) return;
    const [x, y] = pointOf(event);
    drawn.current += Math.hypot(x - last.current[0], y - last.current[1]);
    last.current = [x, y];
    const context = canvas.current?.getContext('2d');
    context?.lineTo(x, y);
    context?.stroke();
  };
  const end = () => {
    if (!last.current) return;
    last.current = undefined;
    save(drawn.current >= leastDrawn);
  };

  const label = speech.text(field.label, field.values, scope);
  const hint = speech.text(field.toolTip, field.values, scope);
  const error = form.error(name);
  const wrong = error && describe(error, field, scope, speech);
  const described = [hint && `${id}-hint`, wrong && `${id}-error`].filter(Boolean).join(' ');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a field of the form, drawn or typed.
    <div className="field" role="group" aria-labelledby={`${id}-label`} data-testid={node.testId}>
      <div className="field__label">
        <span id={`${id}-label`}>{label}</span>
        <button
          className="linkbutton"
          type="button"
          data-testid={partId(node.testId, 'clear')}
          onClick={() => write('')}
        >
          {speech.text(node.clear, node.values, scope)}
        </button>
      </div>
      {hint && (
        <p className="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <canvas
        ref={canvas}
        className="signature"
        width={width}
        height={height}
        role="img"
        aria-label={label}
        data-testid={partId(node.testId, 'canvas')}
        onPointerDown={begin}
        onPointerMove={goOn}
        onPointerUp={end}
        onPointerCancel={end}
      />
      <label className="field__label" htmlFor={id}>
        {speech.text(node.typed, node.values, scope)}
      </label>
      <input
        id={id}
        className="input"
        value={typed}
        maxLength={60}
        autoComplete="name"
        aria-invalid={wrong !== undefined || undefined}
        aria-required={field.mandatory || undefined}
        aria-describedby={described || undefined}
        data-testid={field.testId}
        onChange={event => write(event.target.value)}
      />
      {drawError(id, wrong)}
    </div>
  );
}
