import { mountLayout } from '../../client/embed.ts';
import type { Envelope } from '../../shared/contract/envelope.ts';
import type { LayoutText } from '../../shared/language/types.ts';
import type { LiveExample } from './examples.ts';

// Draws the example of a page of the reference; what it calls answers what the examples say, or fails.
const written = document.querySelector('#example')?.textContent;
const element = document.querySelector('#live');
if (written && element) {
  const { calls, text, ...example } = JSON.parse(written) as LiveExample;
  mountLayout(element, {
    ...example,
    text: text as Readonly<Record<string, LayoutText>>,
    onCall: async ({ operation, command }): Promise<Envelope> => {
      const Result = calls[operation ?? command ?? ''];
      return Result === null
        ? { Succeed: false, Error: 'This is what a failure looks like.' }
        : { Succeed: true, Result };
    },
  });
}
