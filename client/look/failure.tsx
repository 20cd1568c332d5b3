import { Icon } from './icon.tsx';

/** What went wrong with the thing beside it, announced at once; nothing while there is no text. */
export function Failure({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  if (!text) return null;
  return (
    <p className="field__error" id={id} role="alert">
      <Icon name="alert" />
      <span>{text}</span>
    </p>
  );
}
