/** First letters of the first two words, as capitals. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s.@_-]+/u).filter(word => /^[\p{L}\p{N}]/u.test(word));
  const letters = words.slice(0, 2).map(word => [...word][0]);
  return letters.join('').toUpperCase();
}

type AvatarProps = { readonly name: string; readonly square?: boolean; readonly large?: boolean };

/** The initials of a name in a circle, or with `square` (for organisations) in a square; decoration beside the name. */
export function Avatar({ name, square, large }: AvatarProps) {
  return (
    <span className={`avatar${square ? ' avatar--square' : ''}${large ? ' avatar--large' : ''}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
