import { type ReactNode, useEffect, useState } from 'react';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText, useValue } from '../runtime/state/values.ts';

type Outline = { readonly text: string; readonly size: number; readonly path: string };

/** One path over all dark modules. The library is rare, so that it comes when it is needed. */
async function outline(text: string): Promise<Outline> {
  const { encode } = await import('uqr');
  // Four modules of quiet around it (ISO/IEC 18004, section 9.1).
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { text, size, path: path.join('') };
}

/** Draws the QR code of the text at `path`, dark on light in every theme so that cameras read it. */
export function QrCode({ node, scope }: NodeProps<'qr-code'>): ReactNode {
  const text = String(useValue(node.path, scope) ?? '');
  const label = useText(node.label, node.values, scope);
  const [code, setCode] = useState<Outline>();
  useEffect(() => {
    if (text !== '') void outline(text).then(setCode);
  }, [text]);
  if (code?.text !== text) return null;
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code.size} ${code.size}`}
      data-testid={node.testId}
    >
      <path d={code.path} shapeRendering="crispEdges" />
    </svg>
  );
}
