import { JSDOM } from 'jsdom';

/** One page for all tests of a file, put in place by importing this module before React. */
const page = new JSDOM('<!doctype html><html lang="en-GB"><body></body></html>', {
  url: 'http://localhost/',
  pretendToBeVisual: true,
});
const { window } = page;

// The page's own events and forms, also where Node has classes of the same name: the two do not mix.
const replaced = [
  'Event',
  'EventTarget',
  'CustomEvent',
  'FormData',
  'File',
  'Blob',
  'navigator',
  'KeyboardEvent',
  'MouseEvent',
  'history',
  'location',
  'sessionStorage',
  'localStorage',
];
for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis && !replaced.includes(name)) continue;
  Object.defineProperty(globalThis, name, {
    value: window[name as keyof typeof window],
    configurable: true,
    writable: true,
  });
}
Object.defineProperty(globalThis, 'window', { value: globalThis, configurable: true });
for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent', 'getComputedStyle'] as const) {
  Object.defineProperty(globalThis, name, { value: window[name].bind(window), configurable: true, writable: true });
}

class SilentObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
const stubs = {
  ResizeObserver: SilentObserver,
  IntersectionObserver: SilentObserver,
  matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
  scrollTo: () => {},
  CSS: { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') },
  IS_REACT_ACT_ENVIRONMENT: true,
};
for (const [name, value] of Object.entries(stubs))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

// JSDOM has neither modal dialogs nor popovers; what tests need of them is that they open, close and hear Escape.
const dialog = window.HTMLDialogElement.prototype;
dialog.showModal = function showModal() {
  this.setAttribute('open', '');
  const target = this.querySelector<HTMLElement>('[autofocus], input, button, select, textarea');
  target?.focus();
};
dialog.close = function close() {
  this.removeAttribute('open');
};
window.HTMLElement.prototype.scrollIntoView = () => {};
window.HTMLElement.prototype.showPopover = function showPopover() {
  // Its style sheet hides what has not been opened by a browser.
  this.style.display = 'block';
};
window.HTMLElement.prototype.hidePopover = () => {};
window.document.addEventListener('keydown', event => {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  const open = [...window.document.querySelectorAll('dialog[open]')].at(-1);
  open?.dispatchEvent(new window.Event('cancel', { cancelable: true }));
});

/** Puts the page at an address, of a test's own server for example; relative requests go there. */
export function setAddress(url: string): void {
  page.reconfigure({ url });
}

const request = globalThis.fetch;
globalThis.fetch = (input, init) => request(typeof input === 'string' ? new URL(input, location.href) : input, init);

// What is waited for may take long on a slow machine. The library reads the page as it loads, so it comes after it.
const { configure } = await import('@testing-library/react');
configure({ asyncUtilTimeout: 30_000 });
