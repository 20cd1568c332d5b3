import { type PointerEvent, type ReactNode, useId, useRef, useState } from 'react';
import { partId } from '../look/part-id.ts';
import { usePlace } from '../runtime/navigation.tsx';
import type { NodeProps } from '../runtime/registry.ts';
import { useText } from '../runtime/values.ts';

/** Pixels of the image. */
const width = 600;
const height = 160;
const ink = '#14213d';

/** A name drawn with a pointer, or typed for those who cannot draw; either way the image is what is kept. */
export function Signature({ node, scope }: NodeProps<'signature'>): ReactNode {
  const id = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDrawing = useRef(false);
  const [, keep] = usePlace(node.path);
  const [name, setName] = useState('');
  const label = useText(node.label, node.values, scope);
  const typed = useText(node.typed, node.values, scope);
  const clear = useText(node.clear, node.values, scope);
  const hint = useText(node.hint, node.values, scope);

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
  const save = () => keep(canvas.current?.toDataURL('image/png'));
  const empty = () => {
    canvas.current?.getContext('2d')?.clearRect(0, 0, width, height);
    keep(undefined);
  };
  const pointOf = ({ nativeEvent, currentTarget }: PointerEvent<HTMLCanvasElement>) =>
    [
      (nativeEvent.offsetX * width) / currentTarget.clientWidth,
      (nativeEvent.offsetY * height) / currentTarget.clientHeight,
    ] as const;
  const write = (text: string) => {
    setName(text);
    empty();
    if (text.trim() === '') return;
    const context = pen();
    if (context) {
      context.font = 'italic 56px cursive';
      context.textBaseline = 'middle';
      context.fillText(text.trim(), 16, height / 2, width - 32);
    }
    save();
  };

  return (
    <div className="field" data-testid={node.testId}>
      <div className="field__label">
        <span id={id}>{label}</span>
        <button
          className="linkbutton"
          type="button"
          data-testid={partId(node.testId, 'clear')}
          onClick={() => {
            setName('');
            empty();
          }}
        >
          {clear}
        </button>
      </div>
      {hint && <p className="field__hint">{hint}</p>}
      <canvas
        ref={canvas}
        className="signature"
        width={width}
        height={height}
        role="img"
        aria-labelledby={id}
        data-testid={partId(node.testId, 'canvas')}
        onPointerDown={event => {
          isDrawing.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          const context = pen();
          const [x, y] = pointOf(event);
          context?.beginPath();
          context?.moveTo(x, y);
          context?.lineTo(x, y);
          context?.stroke();
        }}
        onPointerMove={event => {
          const context = isDrawing.current && canvas.current?.getContext('2d');
          if (!context) return;
          context.lineTo(...pointOf(event));
          context.stroke();
        }}
        onPointerUp={() => {
          isDrawing.current = false;
          save();
        }}
        onPointerCancel={() => {
          isDrawing.current = false;
        }}
      />
      <label className="field__label" htmlFor={`${id}-typed`}>
        {typed}
      </label>
      <input
        id={`${id}-typed`}
        className="input"
        value={name}
        maxLength={60}
        autoComplete="name"
        data-testid={partId(node.testId, 'typed')}
        onChange={event => write(event.target.value)}
      />
    </div>
  );
}
