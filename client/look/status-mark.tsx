const kinds: ReadonlySet<string> = new Set(['ok', 'wait', 'bad', 'info', 'off', 'none']);

type StatusMarkProps = {
  readonly text: string;
  readonly kind?: string | undefined;
  /** True while the thing is on its way to another status. */
  readonly moving?: boolean | undefined;
  readonly testId?: string | undefined;
};

/**
 * A status as a word with a shape and colour by its `kind` (the shape suffices without colour); without one a plain
 * word.
 */
export function StatusMark({ text, kind, moving, testId }: StatusMarkProps) {
  if (kind === undefined) return <span data-testid={testId}>{text}</span>;
  const known = kinds.has(kind) ? kind : 'off';
  return (
    <span className={`status status--${known}${moving ? ' status--moving' : ''}`} data-testid={testId}>
      {text}
    </span>
  );
}
