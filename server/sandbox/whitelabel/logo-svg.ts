import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html';
import { refuseConflict } from '../http/refusals.ts';

const shapes = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'];
const containers = ['svg', 'g', 'defs', 'linearGradient', 'radialGradient', 'stop', 'clipPath', 'text', 'tspan'];
const elements = new Set([...shapes, ...containers]);
/** Only describes the picture, so that it is left out without a word. */
const silent = /^(?:title|desc|metadata|(?:sodipodi|inkscape|rdf|cc|dc|sketch|i|x):.+)$/;
const runs = /^(?:script|foreignobject|iframe|object|embed|audio|video|handler|listener|a)$/;
const moves = /^(?:animate.*|set|discard|mpath)$/;
const fetches = /^(?:image|feimage|use|font-face-uri)$/;

/** Properties that an attribute, or a declaration of a `style` attribute, may set. */
const paint = [
  ...['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin'],
  ...['stroke-miterlimit', 'stroke-dasharray', 'stroke-dashoffset', 'stroke-opacity', 'opacity', 'color', 'display'],
  ...['stop-color', 'stop-opacity', 'clip-path', 'clip-rule', 'font-family', 'font-size', 'font-weight', 'font-style'],
  ...['letter-spacing', 'text-anchor'],
];
const geometry = [
  ...['id', 'd', 'points', 'transform', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'dx', 'dy', 'cx', 'cy', 'r', 'rx', 'ry'],
  ...['fx', 'fy', 'width', 'height', 'offset', 'gradientUnits', 'gradientTransform', 'spreadMethod', 'clipPathUnits'],
];
const attributes = new Set([...paint, ...geometry]);

const mostElements = 2000;
/** Groups that cut others out can cost a browser long, and a logo has few. */
const mostClips = 20;
const mostDepth = 30;
const local = /^url\(\s*["']?#[\w.-]+["']?\s*\)$/;

/** A value of an attribute as it may stand in the rebuilt picture; throws a refusal for what leads elsewhere. */
function checkValue(value: string): string {
  if (/javascript:|expression\s*\(|vbscript:/i.test(value)) throw refuseConflict('LogoScript');
  if (/(?:url|image|image-set)\s*\(|@import|data:|https?:|\\/i.test(value) && !local.test(value.trim()))
    throw refuseConflict('LogoOutside');
  return value;
}

function keptAttributes(given: Attributes): Attributes {
  const kept: Attributes = {};
  const { style = '', ...others } = given;
  for (const [name, value] of Object.entries(others)) {
    if (/^on/i.test(name)) throw refuseConflict('LogoScript');
    const isReference = /(?:^|:)href$/i.test(name);
    if (isReference && value.startsWith('#')) kept.href = value;
    else if (isReference) checkValue(`url(${value})`);
    else if (attributes.has(name)) kept[name] = checkValue(value);
  }
  for (const declaration of style.split(';')) {
    const [name = '', ...value] = declaration.split(':');
    if (paint.includes(name.trim())) kept[name.trim()] = checkValue(value.join(':').trim());
    else checkValue(declaration);
  }
  return kept;
}

/** Refuses what a logo must not have, by the element's name; others than the known ones as well, but what is silent. */
function checkElement(name: string): void {
  const plain = name.replace(/^svg:/, '').toLowerCase();
  if (runs.test(plain)) throw refuseConflict('LogoScript');
  if (moves.test(plain)) throw refuseConflict('LogoAnimated');
  if (fetches.test(plain)) throw refuseConflict('LogoOutside');
  if (plain === 'style') throw refuseConflict('LogoStyles');
  if (!elements.has(name) && !silent.test(plain)) throw refuseConflict('LogoElement', { Name: name.slice(0, 30) });
}

/** The box that a picture is drawn in, `[x, y, width, height]`; undefined where it does not say. */
function boxOf({ viewBox, width, height }: Attributes): readonly number[] | undefined {
  const box = viewBox
    ?.trim()
    .split(/[\s,]+/)
    .map(Number) ?? [0, 0, Number.parseFloat(width ?? ''), Number.parseFloat(height ?? '')];
  const isBox = box.length === 4 && box.every(value => Number.isFinite(value) && Math.abs(value) < 1e6);
  return isBox && box[2]! > 0 && box[3]! > 0 ? box : undefined;
}

/**
 * Rebuilds an SVG from an allow-list of shapes, groups, gradients and texts. Gives the new text and the size of its box.
 * Refuses scripts, animations, references to anything outside, style sheets, entities and other elements that are drawn:
 * a logo that would look different without them is not taken in silence.
 */
export function rebuildSvg(bytes: Buffer): {
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
} {
  const text = bytes.toString('utf8');
  if (/<!ENTITY/i.test(text)) throw refuseConflict('LogoBomb');
  let count = 0;
  let clips = 0;
  let depth = 0;
  let box: readonly number[] | undefined;
  const open = (name: string, given: Attributes): Tag => {
    checkElement(name);
    count += 1;
    if (name === 'clipPath') clips += 1;
    if (count > mostElements || clips > mostClips || depth > mostDepth) throw refuseConflict('LogoBomb');
    if (count > 1) {
      // A picture within a picture has a box of its own, which logos do not need.
      if (name === 'svg') throw refuseConflict('LogoElement', { Name: 'svg' });
      return { tagName: name, attribs: keptAttributes(given) };
    }
    box = name === 'svg' ? boxOf(given) : undefined;
    if (!box) throw refuseConflict('LogoUnreadable');
    const { width: _, height: __, x: ___, y: ____, ...kept } = keptAttributes(given);
    const [width, height] = [String(box[2]), String(box[3])];
    return {
      tagName: 'svg',
      attribs: { xmlns: 'http://www.w3.org/2000/svg', viewBox: box.join(' '), width, height, ...kept },
    };
  };
  const content = sanitizeHtml(text, {
    allowedTags: [...elements],
    allowedAttributes: { '*': [...attributes, 'href', 'xmlns', 'viewBox'] },
    nonTextTags: ['title', 'desc', 'metadata'],
    transformTags: { '*': open },
    onOpenTag: () => {
      depth += 1;
    },
    onCloseTag: () => {
      depth -= 1;
    },
    textFilter: (shown, tag) => (tag === 'text' || tag === 'tspan' ? shown : ''),
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
  });
  if (!box || !content.startsWith('<svg')) throw refuseConflict('LogoUnreadable');
  return { content: Buffer.from(content), width: box[2]!, height: box[3]! };
}
