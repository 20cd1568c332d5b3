import { Icon } from './icon.tsx';

const tinted: ReadonlySet<string> = new Set(['ok', 'wait', 'bad']);

type TileProps = { readonly icon: string; readonly kind?: string | undefined; readonly large?: boolean };

/** An icon on a small square; `kind` gives it a colour where the words beside it say the same. */
export function Tile({ icon, kind, large }: TileProps) {
  const tint = kind && tinted.has(kind) ? ` tile--${kind}` : '';
  return (
    <span className={`tile${large ? ' tile--large' : ''}${tint}`}>
      <Icon name={icon} />
    </span>
  );
}
