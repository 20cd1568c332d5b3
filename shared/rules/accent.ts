/**
 * The accent of a brand: the colours that the look makes from it (client/look/tokens.css), and whether they can be read.
 * Contrast is that of WCAG 2.2 (success criteria 1.4.3 and 1.4.11): 4.5 for text, 3 for controls and marks.
 */

/** The accent of whoever has none of their own (`--accent-default`). */
export const defaultAccent = '0b6472';

type Three = readonly [number, number, number];
/** Lightness from 0 to 1, chroma, and hue in radians. */
type Polar = { readonly l: number; readonly c: number; readonly h: number };

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const toLinear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** Linear red, green and blue, from 0 to 1, of a hexadecimal colour. */
const readHex = (hex: string): Three =>
  [0, 2, 4].map(at => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Three;
const writeHex = (linear: Three): string =>
  linear
    .map(value =>
      Math.round(clamp(fromLinear(clamp(value))) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');

/** Oklab (https://bottosson.github.io/posts/oklab/), which CSS Color 4 mixes in. */
function toOklab([r, g, b]: Three): Three {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([lightness, a, b]: Three): Three {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(clamp) as unknown as Three;
}

const toPolar = (linear: Three): Polar => {
  const [l, a, b] = toOklab(linear);
  return { l, c: Math.hypot(a, b), h: Math.atan2(b, a) };
};
const fromPolar = ({ l, c, h }: Polar): Three => fromOklab([l, c * Math.cos(h), c * Math.sin(h)]);

/** As `color-mix(in oklab, colour, other share)`. */
const mixOklab = (colour: Three, other: Three, share: number): Three => {
  const [from, to] = [toOklab(colour), toOklab(other)];
  return fromOklab(from.map((value, at) => value * (1 - share) + to[at]! * share) as unknown as Three);
};
/** A colour that lets through what is below it, as browsers draw it: mixed in sRGB. */
const over = (colour: Three, below: Three, opacity: number): Three =>
  colour.map((value, at) =>
    toLinear(fromLinear(value) * opacity + fromLinear(below[at]!) * (1 - opacity)),
  ) as unknown as Three;

const luminance = ([r, g, b]: Three): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrastOf = (one: Three, other: Three): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

const black: Three = [0, 0, 0];
const white: Three = [1, 1, 1];
/** Black or white, whichever reads better: 4.58 at least. */
const onFill = (fill: Three): Three => (luminance(fill) > 0.1791 ? black : white);

export type BrandTheme = 'light' | 'dark';

/** Gives the colours that the look makes from an accent in a theme; the names are those of the tokens without "--". */
function shadesIn(theme: BrandTheme, accent: Three) {
  const polar = toPolar(accent);
  const { l, c } = polar;
  const grey = (lightness: number, chroma: number): Three =>
    fromPolar({ ...polar, l: lightness, c: Math.min(c, chroma) });
  const at = (lightness: number, chroma = c): Three => fromPolar({ ...polar, l: lightness, c: Math.min(c, chroma) });
  if (theme === 'light')
    return {
      fill: accent,
      hover: mixOklab(accent, black, 0.2),
      text: at(Math.min(l, 0.46)),
      mark: at(Math.min(l, 0.58)),
      surfaces: { surface: white, canvas: grey(0.979, 0.003), hover: grey(0.966, 0.004) },
    };
  const fill = at(Math.max(l, 0.6), 0.19);
  return {
    fill,
    hover: mixOklab(fill, white, 0.2),
    text: at(Math.max(l, 0.8), 0.13),
    mark: at(Math.max(l, 0.68), 0.19),
    surfaces: { surface: grey(0.205, 0.009), canvas: grey(0.168, 0.008), hover: grey(0.243, 0.01) },
  };
}

/** A pair of colours that cannot be told apart well enough. `ratio`: contrast, 1 to 21; `least`: what it must be. */
export type Contrast = {
  readonly theme: BrandTheme;
  /** `button`: the fill against the page; `label`: a button's text on it; `link`: text and `mark`: shapes in the accent. */
  readonly part: 'button' | 'label' | 'link' | 'mark';
  readonly ratio: number;
  readonly least: number;
};

/**
 * Gives the lowest contrast of each part that is drawn in an accent, in both themes: on every surface, at rest and
 * pointed at, and on the secondary colour, which is the accent at 0.15 opacity (document 2, section 9).
 */
export function contrastsOf(hex: string): readonly Contrast[] {
  const accent = readHex(hex);
  return (['light', 'dark'] as const).flatMap((theme): Contrast[] => {
    const { fill, hover, text, mark, surfaces } = shadesIn(theme, accent);
    const plain = Object.values(surfaces);
    const tinted = plain.flatMap(surface => [surface, over(fill, surface, 0.15), over(fill, surface, 0.08)]);
    const lowest = (colours: readonly Three[], backs: readonly Three[]): number =>
      Math.min(...colours.flatMap(colour => backs.map(back => contrastOf(colour, back))));
    return [
      { theme, part: 'button', ratio: lowest([fill, hover], plain), least: 3 },
      {
        theme,
        part: 'label',
        ratio: Math.min(contrastOf(onFill(fill), fill), contrastOf(onFill(hover), hover)),
        least: 4.5,
      },
      { theme, part: 'link', ratio: lowest([text], tinted), least: 4.5 },
      { theme, part: 'mark', ratio: lowest([mark], plain), least: 3 },
    ];
  });
}

/** The parts that cannot be read; none where the accent is fit. */
export const failuresOf = (hex: string): readonly Contrast[] =>
  contrastsOf(hex).filter(({ ratio, least }) => ratio < least);

/** Whether everything in this accent can be read, in both themes. */
export const isLegible = (hex: string): boolean => failuresOf(hex).length === 0;

/**
 * Gives the accent itself where it is legible, or else the legible one of the same hue that differs least in lightness;
 * where no lightness helps, one that is closer to grey.
 */
export function nearestLegible(hex: string): string {
  if (isLegible(hex)) return hex.toLowerCase();
  const polar = toPolar(readHex(hex));
  for (let chroma = polar.c; ; chroma = chroma < 0.01 ? 0 : chroma * 0.8) {
    for (let step = 0; step <= 100; step += 1)
      for (const l of [polar.l - step / 100, polar.l + step / 100]) {
        const tried = writeHex(fromPolar({ ...polar, l: clamp(l), c: chroma }));
        if (isLegible(tried)) return tried;
      }
    if (chroma === 0) return defaultAccent;
  }
}

/** Shades of an accent as hexadecimal colours: lighter and darker by 0.2 (document 2, section 9), and those of text. */
export function shadesOf(hex: string) {
  const accent = readHex(hex);
  const { hover, text, mark } = shadesIn('light', accent);
  return {
    lighter: writeHex(mixOklab(accent, white, 0.2)),
    darker: writeHex(hover),
    onAccent: writeHex(onFill(accent)),
    onDarker: writeHex(onFill(hover)),
    text: writeHex(text),
    mark: writeHex(mark),
  };
}
