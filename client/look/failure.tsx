import { Icon } from './icon.tsx';

/** The error message beside what failed, announced to screen readers at once; draws nothing without a text. */
export function Failure({ id, text }: { readonly id?: string | undefined; readonly text: string | undefined }) {
  if (!text) return null;
  return (
    <p className="field__error" id={id} role="alert">
      <Icon name="alert" />
      <span>{text}</span>
    </p>
  );
}
