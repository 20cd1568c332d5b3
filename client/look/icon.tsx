declare const __ICONS__: string | undefined;

/** Address of the sprite; the build puts the content-hashed one here. */
const sprite = typeof __ICONS__ === 'undefined' ? '/assets/icons.svg' : __ICONS__;

/**
 * Paths of the sprite that travel with the code: the cross stands in every dialog, and a browser that has no other
 * symbol on the page reads the whole sprite anew for it, which takes longer than drawing a form.
 */
export const drawnHere: Readonly<Record<string, string>> = { x: 'm5 5 10 10M15 5 5 15' };

type IconProps = { readonly name: string; readonly small?: boolean | undefined };

/**
 * An icon from icons.svg, always decoration: the word stands next to it or in the name of its button. The sprite is a
 * file of the same origin, because `img-src 'self'` lets `<use>` read that and nothing else.
 */
export function Icon({ name, small }: IconProps) {
  const path = drawnHere[name];
  return (
    <svg className={small ? 'icon icon--s' : 'icon'} viewBox={path && '0 0 20 20'} aria-hidden="true">
      {path ? <path d={path} /> : <use href={`${sprite}#${name}`} />}
    </svg>
  );
}
