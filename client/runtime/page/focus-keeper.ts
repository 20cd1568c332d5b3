/** An element that had the focus, and where it stood: the place outlives the element. */
type FocusPosition = {
  readonly element: HTMLElement;
  /** From its parent outwards, with the index of the child that led to it and how many children there were. */
  readonly parents: readonly { readonly parent: Element; readonly index: number; readonly count: number }[];
  /** What it floated in, if anything. */
  readonly layer: Element | null;
};

const unusable = ':disabled, [hidden], [hidden] *';
/** What can take the focus; hidden rows (skeletons, spacers) cannot. */
const focusable = `:is(a[href], button, input, select, textarea, [tabindex="0"]):not(${unusable}, [aria-hidden="true"], [aria-hidden="true"] *)`;
/** Parts beyond which nothing is a neighbour any more. */
const part = 'tr, li, form, section, .popover, .dialog__body, header, main';
/** What comes and goes over the page; with it gone, the focus belongs where it was before. */
const layers = 'dialog, [popover], .toasts';

const isShown = (element: HTMLElement): boolean => element.checkVisibility?.({ visibilityProperty: true }) !== false;

const isLost = (): boolean => !document.activeElement || document.activeElement === document.body;

const isUsable = (element: HTMLElement): boolean => element.isConnected && !element.matches(unusable);

function placeOf(element: HTMLElement): FocusPosition {
  const parents: { parent: Element; index: number; count: number }[] = [];
  for (let child: Element = element; child.parentElement; child = child.parentElement) {
    const { children } = child.parentElement;
    parents.push({ parent: child.parentElement, index: [...children].indexOf(child), count: children.length });
  }
  return { element, parents, layer: element.closest(layers) };
}

function within(element: Element | undefined, end: 'first' | 'last'): HTMLElement | undefined {
  if (!element) return undefined;
  const inner = [...element.querySelectorAll<HTMLElement>(focusable)];
  const own = element.matches(focusable) ? [element as HTMLElement] : [];
  const all = [...own, ...inner].filter(isShown);
  return all.at(end === 'first' ? 0 : -1);
}

/** What has come in place of a child that was replaced; else its nearest neighbour, the one before it first. */
function neighbour({ parent, index, count }: FocusPosition['parents'][number]): HTMLElement | undefined {
  const children = [...parent.children];
  const successor = children.length === count ? within(children[index], 'first') : undefined;
  if (successor) return successor;
  for (const child of children.slice(0, index).reverse()) {
    const found = within(child, 'last');
    if (found) return found;
  }
  for (const child of children.slice(index)) {
    const found = within(child, 'first');
    if (found) return found;
  }
  return undefined;
}

/** The part of the page itself: reading goes on from there, and so does the Tab key. */
function asTarget(element: Element | null | undefined): HTMLElement | undefined {
  if (!(element instanceof HTMLElement)) return undefined;
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  return element;
}

/** Where the focus goes when the element of a place has gone or can no longer be used. */
function substitute({ parents }: FocusPosition): HTMLElement | undefined {
  const from = parents.findIndex(({ parent }) => parent.isConnected);
  for (const position of parents.slice(Math.max(from, 0))) {
    const found = neighbour(position);
    if (found) return found;
    if (position.parent.matches(part)) return asTarget(position.parent);
  }
  return undefined;
}

/**
 * Keeps the focus from getting lost (look: "Keyboard and focus"): when what has it is taken from the page, hidden or
 * disabled, it goes to what came instead, to a neighbour, or to the part they stood in. Browsers would give it to the
 * body, from where Tab starts at the top and a screen reader falls silent. Gives the function that ends it.
 */
export function keepFocus(): () => void {
  let last: FocusPosition | undefined;
  const origins = new WeakMap<Element, FocusPosition>();

  const notice = ({ target }: Event): void => {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    const place = placeOf(target);
    if (place.layer && place.layer !== last?.layer && last) origins.set(place.layer, last);
    last = place;
  };

  /** A press on the empty page takes the focus away on purpose. */
  const release = (): void => {
    setTimeout(() => {
      if (isLost()) last = undefined;
    });
  };

  const restore = (): void => {
    if (!last || !(isLost() || (document.activeElement === last.element && !isUsable(last.element)))) return;
    let place = last;
    // A layer that is gone, or a message that is, leads back to where one was before.
    while (place.layer && (!place.layer.isConnected || place.layer.matches('.toasts'))) {
      const origin = origins.get(place.layer);
      if (!origin || origin === place) break;
      place = origin;
    }
    const isBack = isUsable(place.element) && isShown(place.element);
    const target = isBack ? place.element : (substitute(place) ?? asTarget(document.querySelector('main h1')));
    last = undefined;
    target?.focus({ preventScroll: true });
  };

  const observer = new MutationObserver(restore);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled', 'hidden'] });
  document.addEventListener('focusin', notice);
  document.addEventListener('mousedown', release);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', notice);
    document.removeEventListener('mousedown', release);
  };
}

/**
 * Calls `load` at the first press or key in the page, to load code that is not needed before; retried later if it
 * failed.
 */
export function onFirstPress(load: () => Promise<unknown>): void {
  const begin = () => void load().catch(() => undefined);
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, begin, { once: true });
}
