declare const __ICONS__: string | undefined;

/** Address of the sprite; the build puts the content-hashed one here. */
const sprite = typeof __ICONS__ === 'undefined' ? '/assets/icons.svg' : __ICONS__;

type IconProps = { readonly name: string; readonly small?: boolean | undefined };

/**
 * A symbol of icons.svg, always decoration: the word stands next to it or in the name of its button.
 * The sprite is a file of the same origin, because `img-src 'self'` lets `<use>` read that and nothing else.
 */
export function Icon({ name, small }: IconProps) {
  return (
    <svg className={small ? 'icon icon--s' : 'icon'} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
