import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { keepFocus } from '../../../client/runtime/page/focus-keeper.ts';

let end: () => void;
beforeEach(() => {
  end = keepFocus();
});
afterEach(() => {
  end();
  document.body.innerHTML = '';
});

/** Draws a page and gives its elements by id. */
function draw(html: string): (id: string) => HTMLElement {
  document.body.innerHTML = `<div id="root"><main><h1>Here</h1>${html}</main></div>`;
  return id => document.getElementById(id) as HTMLElement;
}

/** What has the focus once the page has noticed. */
async function focused(): Promise<string | undefined> {
  await new Promise(resolve => setTimeout(resolve, 5));
  return document.activeElement?.id || document.activeElement?.tagName;
}

test('what comes in place of the focused element takes the focus', async () => {
  const at = draw('<div><button id="retry">Retry</button></div>');
  at('retry').focus();
  at('retry').outerHTML = '<form><input id="field"></form>';
  assert.equal(await focused(), 'field');
});

test('a button that gets disabled hands the focus to its neighbour', async () => {
  const at = draw('<div><button id="previous">Previous</button><button id="next">Next</button></div>');
  at('next').focus();
  at('next').toggleAttribute('disabled', true);
  assert.equal(await focused(), 'previous');
});

test('a field that gets hidden hands the focus to the one before', async () => {
  const at = draw('<div><p><input id="kind"></p><p id="field"><input id="extra"></p></div>');
  at('extra').focus();
  at('field').hidden = true;
  assert.equal(await focused(), 'kind');
});

test('a row menu that goes leads to the rest of its row, a row that goes to the row before', async () => {
  const at = draw(
    `<table><tbody><tr><td><a href="/a" id="a">A</a></td></tr>
    <tr id="row"><td><a href="/b" id="b">B</a></td><td id="cell"><button id="menu">Actions</button></td></tr></tbody></table>`,
  );
  at('menu').focus();
  at('menu').remove();
  assert.equal(await focused(), 'b');
  at('row').remove();
  assert.equal(await focused(), 'a');
});

test('a part that has nothing else takes the focus itself', async () => {
  const at = draw('<button id="far">Far</button><section id="part"><button id="retry">Retry</button></section>');
  at('retry').focus();
  at('retry').remove();
  assert.equal(await focused(), 'part');
});

test('a message that goes leads back to where one was before', async () => {
  const at = draw(
    '<button id="before">Suspend</button><div class="toasts"><div><button id="undo">Undo</button></div></div>',
  );
  at('before').focus();
  at('undo').focus();
  at('undo').parentElement?.remove();
  assert.equal(await focused(), 'before');
});

test('a dialog whose opener has gone leads to where it stood', async () => {
  const at = draw(
    '<ul><li><button id="other">Other</button></li><li id="item"><button id="opener">Delete</button></li></ul>',
  );
  const dialog = document.createElement('dialog');
  dialog.innerHTML = '<button id="yes">Delete</button>';
  document.body.append(dialog);
  at('opener').focus();
  at('yes').focus();
  at('item').remove();
  dialog.remove();
  assert.equal(await focused(), 'other');
});

test('with nothing left nearby the heading has the focus; who presses on the empty page has none', async () => {
  const at = draw('<p><button id="one">One</button></p>');
  at('one').focus();
  at('one').remove();
  assert.equal(await focused(), 'MAIN');
  (document.activeElement as HTMLElement).dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
  (document.activeElement as HTMLElement).blur();
  await focused();
  document.querySelector('p')?.remove();
  assert.equal(await focused(), 'BODY');
});
