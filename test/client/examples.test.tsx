import '../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { waitFor } from '@testing-library/react';
import { liveExamples } from '../../scripts/docs/examples.ts';
import { topicsOf } from '../../scripts/docs/topics.ts';
import type { LayoutText } from '../../shared/language/types.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { type Mounted, mount } from './mount.ts';

let page: Mounted | undefined;
afterEach(() => {
  page?.unmount();
  page = undefined;
});

for (const [{ group, name }, { layout, popups, data, text }] of notEmpty([...liveExamples(topicsOf({})).live])) {
  test(`the example of ${group} ${name} draws`, async () => {
    const shown = { popups, data, text: text as Readonly<Record<string, LayoutText>> };
    page = await mount(layout.children, { ...shown, layout });
    const { element } = page;
    // What is lazy comes later; what publishes or waits may show little.
    await waitFor(() => assert.ok(element.querySelector('[role], button, a, input, p, hr, h2, dl, svg, span')));
    assert.doesNotMatch(element.textContent, /This part cannot be shown|undefined|example\.|NaN/);
  });
}
