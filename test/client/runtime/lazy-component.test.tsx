import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Component, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { lazyComponent } from '../../../client/runtime/state/lazy-component.tsx';

const settings = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
let root: Root | undefined;
afterEach(() => {
  root?.unmount();
  settings.IS_REACT_ACT_ENVIRONMENT = true;
});

/** Draws as the page does: for real, not step by step. */
function draw(content: ReactNode): HTMLElement {
  settings.IS_REACT_ACT_ENVIRONMENT = false;
  const element = document.body.appendChild(document.createElement('div'));
  root = createRoot(element);
  flushSync(() => root?.render(content));
  return element;
}

type Props = { readonly name: string };
const Hello = ({ name }: Props) => <b>Hello {name}</b>;

test('what is loaded late is drawn as soon as it is there; until then what stands for it', async () => {
  const Late = lazyComponent<Props>(async () => Hello, <i>soon</i>);
  const element = draw(<Late name="Ada" />);
  assert.equal(element.textContent, 'soon');
  // React would hold it back for 300 ms.
  await sleep(100);
  assert.equal(element.textContent, 'Hello Ada');
});

test('it is loaded once, however often it stands on the page, and is there at once the next time', async () => {
  let loads = 0;
  const Late = lazyComponent<Props>(async () => {
    loads += 1;
    return Hello;
  });
  draw(<Late name="Ada" />);
  await sleep(50);
  root?.unmount();
  const element = draw(
    <>
      <Late name="Bo" />
      <Late name="Cy" />
    </>,
  );
  assert.equal(element.textContent, 'Hello BoHello Cy');
  assert.equal(loads, 1);
});

class Boundary extends Component<{ readonly children: ReactNode }, { readonly said?: string }> {
  override state: { readonly said?: string } = {};
  static getDerivedStateFromError(error: Error) {
    return { said: error.message };
  }
  override render(): ReactNode {
    return this.state.said ?? this.props.children;
  }
}

test('what cannot be loaded fails where it stands', async t => {
  t.mock.method(console, 'error', () => {});
  const Late = lazyComponent<Props>(async () => Promise.reject(new Error('gone')));
  const element = draw(
    <Boundary>
      <Late name="Ada" />
    </Boundary>,
  );
  await sleep(50);
  assert.equal(element.textContent, 'gone');
});
