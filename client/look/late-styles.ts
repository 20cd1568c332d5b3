/**
 * Adds the CSS of code that is loaded after the first page, so that the first page does without it. A style sheet made
 * by script needs no exception in the content security policy, as a `<style>` element would.
 */
export function addStyles(css: string): void {
  // JSDOM has none.
  if (!('adoptedStyleSheets' in document)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer parts {${css}}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
