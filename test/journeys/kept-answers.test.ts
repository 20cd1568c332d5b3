import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newContent, withAnswers } from '../../server/journeys/journey-draft.ts';
import type { JourneyRun } from '../../server/journeys/journey-steps.ts';
import { fillTemplate } from '../../server/journeys/template.ts';
import type { FieldNode } from '../../shared/language/types.ts';

const run = { hash: 'h' } as JourneyRun;
const kinds = ['text', 'number', 'checkbox', 'password', 'one-time-code', 'email', 'hidden'] as const;
const secret = 'never kept: 7f3a';
const field = fc.record({ name: fc.stringMatching(/^[A-Z][a-z]{1,8}$/), kind: fc.constantFrom(...kinds) });
const form = fc.uniqueArray(field, { selector: ({ name }) => name, minLength: 1, maxLength: 12 });

test('whatever fields a step has, no password or code enters a draft', () => {
  fc.assert(
    fc.property(fc.array(form, { minLength: 1, maxLength: 4 }), steps => {
      let content = newContent(run, 'step0');
      steps.forEach((fields, index) => {
        const nodes = fields.map(
          ({ name, kind }): FieldNode => ({ type: 'field', propertyName: name, kind, label: name }),
        );
        const isSecret = (kind: string) => kind === 'password' || kind === 'one-time-code';
        const values = Object.fromEntries(fields.map(({ name, kind }) => [name, isSecret(kind) ? secret : name]));
        content = withAnswers(run, content, `step${index}`, nodes, values);
        for (const { name, kind } of fields)
          assert.equal(content.answers[`step${index}`]?.[name], isSecret(kind) ? undefined : name);
      });
      assert.ok(!JSON.stringify(content).includes(secret));
    }),
  );
});

test('a body is made of paths, defaults, lists and choices, and of nothing else', () => {
  const scope = { answers: { ask: { Name: 'Ada', Rows: [{ Id: 1, Count: 2 }] } }, journey: { customer: '10001' } };
  const template = {
    For: 'journey.customer',
    Name: 'answers.ask.Name',
    Note: { path: 'answers.ask.Note', default: '' },
    Rows: { rows: 'answers.ask.Rows', each: { Id: 'row.Id', Of: 'answers.ask.Name' } },
    None: { rows: 'answers.other.Rows', each: 'row.Id' },
    There: { when: { path: 'answers.ask.Name', empty: false }, use: { Yes: true } },
    Gone: { when: { path: 'answers.ask.Note', empty: false }, use: { Yes: true } },
    Fixed: { value: 'answers.ask.Name' },
    Missing: 'answers.ask.Missing',
    Deep: { Inner: { Name: 'answers.ask.Name' } },
  };
  assert.deepEqual(JSON.parse(JSON.stringify(fillTemplate(template, scope))), {
    For: '10001',
    Name: 'Ada',
    Note: '',
    Rows: [{ Id: 1, Of: 'Ada' }],
    None: [],
    There: { Yes: true },
    Gone: null,
    Fixed: 'answers.ask.Name',
    Deep: { Inner: { Name: 'Ada' } },
  });
});
