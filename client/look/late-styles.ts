/**
 * Adds the styles of what is loaded late, so that the first page does without them. A sheet that is made here needs no
 * exception in the content security policy, as an element in the page would.
 */
export function addStyles(css: string): void {
  // JSDOM has none.
  if (!('adoptedStyleSheets' in document)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer parts {${css}}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
