import type { ReactNode } from 'react';

/** As many series as there are marks are told apart; after them the marks begin again. */
const count = 6;

/** The CSS colour of a chart's series, by its index; colours repeat when there are more series than colours. */
export const colourOf = (index: number): string => `var(--chart-${(index % count) + 1})`;

/** Lines over the colour of a bar: 8 by 8, in the colour of what lies below. The first is plain. */
const textures = ['', 'M0 8 8 0M-2 2 2-2M6 10l4-4', 'M4 2v4M2 4h4', 'M0 4h8', 'M4 0v8', 'M0 0l8 8M0 8 8 0'];

/** Shapes of the points of a line, about their middle. */
const shapes = [
  'M0-3.5a3.5 3.5 0 1 0 .01 0z',
  'M-3-3h6v6h-6z',
  'M0-4 4 3h-8z',
  'M0-4.5 4.5 0 0 4.5-4.5 0z',
  'M-4-3h8l-4 7z',
  'M-1.3-4h2.6v2.7H4v2.6H1.3V4h-2.6V1.3H-4v-2.6h2.7z',
];
const dashes = ['', '7 3', '2 3', '10 3 2 3', '5 2', '1 2'];

/** The shape of the points of a chart's series, by its index, so that series differ without colour. */
export const shapeOf = (index: number): string => shapes[index % count] as string;
/** The dash pattern (`stroke-dasharray`) of a chart's line, by the index of its series. */
export const dashOf = (index: number): string => dashes[index % count] as string;

/**
 * The SVG `fill` of a series' bars, by its index: a pattern of `Patterns`, which must be on the page with the same
 * `id`.
 */
export const fillOf = (id: string, index: number): string => `url(#${id}-${index % count})`;

/** The SVG definitions of the patterns that fill the bars of a chart; `fillOf` refers to them. */
export function Patterns({ id }: { readonly id: string }): ReactNode {
  return (
    <svg className="visually-hidden" aria-hidden="true">
      <defs>
        {textures.map((texture, index) => (
          <pattern key={texture} id={`${id}-${index}`} width="8" height="8" patternUnits="userSpaceOnUse">
            <rect width="8" height="8" fill={colourOf(index)} />
            {texture && <path d={texture} stroke="var(--surface)" strokeOpacity=".7" strokeWidth="1.5" />}
          </pattern>
        ))}
      </defs>
    </svg>
  );
}

type SwatchProps = { readonly id: string; readonly index: number; readonly isLine: boolean };

/** The colour and pattern of a series, shown beside its name in the legend. */
export function Swatch({ id, index, isLine }: SwatchProps): ReactNode {
  return (
    <svg width="24" height="12" aria-hidden="true">
      {isLine ? (
        <g fill={colourOf(index)} stroke={colourOf(index)} transform="translate(12 6)">
          <path d="M-12 0h24" strokeWidth="2" strokeDasharray={dashOf(index)} />
          <path d={shapeOf(index)} />
        </g>
      ) : (
        <rect width="24" height="12" rx="2" fill={fillOf(id, index)} />
      )}
    </svg>
  );
}
