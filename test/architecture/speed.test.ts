import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSource, sourceFiles } from './source-files.ts';

/** This file, and the fixtures by which the others wait. */
const own = ['speed.test.ts', 'wait.ts', 'eventually.ts', 'as-subject.ts'];
const files = sourceFiles('test').filter(file => !own.some(name => file.endsWith(`/${name}`)));

/** What depends on how fast the machine is; times of `asSubject` do not. */
const forms: Readonly<Record<string, RegExp>> = {
  'a fixed wait':
    /(?<![.\w])(setTimeout|sleep|delay)\((?!['"`])[^\n]*?,(?!\s*(?:asSubject\(|\d{2,}_\d{3}\b))[^\n]*\)|(?<![.\w])(sleep|delay)\((?!asSubject\()\w|\bwaitForTimeout\((?!asSubject\()/g,
  'a limit below ten seconds': /\b(timeout: ?|AbortSignal\.timeout\()(\d|[1-9]\d{1,3}|\d_\d{3})\b(?!_)/g,
  'elapsed time': /\b(performance|Date)\.now\(\) - (?!days\b|age\b|\d)\w+|process\.hrtime/g,
  'a loop until a time': /\b(performance|Date)\.now\(\) (<|>|<=|>=) /g,
};

/** Places by file that are still to go: a number may only become smaller, and nothing may be added. */
const left: Readonly<Record<string, number>> = {
  'test/client/nodes/bulk.test.tsx': 1,
  'test/client/nodes/delivered.test.tsx': 1,
  'test/client/nodes/step-draft.test.tsx': 3,
  'test/client/nodes/steps.test.tsx': 1,
  'test/client/pseudo-language.test.tsx': 1,
  'test/client/runtime/data.test.tsx': 1,
  'test/client/runtime/focus.test.tsx': 1,
  'test/client/runtime/lazy-component.test.tsx': 3,
  'test/client/runtime/newer-language.test.tsx': 1,
  'test/client/runtime/replies.test.tsx': 2,
  'test/client/runtime/session.test.tsx': 1,
  'test/client/shell/menu-button.test.tsx': 1,
  'test/cloud/gate.test.ts': 1,
  'test/fixtures/killed-payments.ts': 1,
  'test/layouts/pattern.test.ts': 2,
  'test/routes/export-files.test.ts': 1,
  'test/routes/outage-log.test.ts': 1,
  'test/routes/stalled.test.ts': 1,
  'test/sandbox/kill-calendar.deep.test.ts': 1,
  'test/server/rolling-restart.deep.test.ts': 1,
  'test/session/passwords.test.ts': 1,
  'test/session/refusals.test.ts': 1,
  'test/store/stopped-database.test.ts': 2,
};

/** Uses of `asSubject`; each is slow by its nature, so more need a reason. */
const mostSubjects = 40;

const count = (file: string): number =>
  Object.values(forms).reduce((sum, form) => sum + [...readSource(file).matchAll(form)].length, 0);

test('no test waits a fixed time, has a limit below ten seconds or judges how long something took', () => {
  const found = Object.fromEntries(files.map(file => [file, count(file)] as const).filter(([, times]) => times > 0));
  assert.deepEqual(
    found,
    left,
    'wait for a state with `eventually`; a time that is the subject goes through `asSubject`',
  );
});

test('the forms that depend on speed are found, and those that do not are not', () => {
  const find = (line: string): string[] => Object.keys(forms).filter(name => line.match(forms[name]!));
  const refused: readonly [line: string, form: string][] = [
    ['await new Promise(resolve => setTimeout(resolve, 50));', 'a fixed wait'],
    ['await sleep(100);', 'a fixed wait'],
    ['await delay(pause);', 'a fixed wait'],
    ['await page.waitForTimeout(4000);', 'a fixed wait'],
    ["await screen.findByText('Not saved', undefined, { timeout: 5000 });", 'a limit below ten seconds'],
    ['.click({ timeout: 500 })', 'a limit below ten seconds'],
    ['signal: AbortSignal.timeout(9_999),', 'a limit below ten seconds'],
    ['assert.ok(performance.now() - started >= 490);', 'elapsed time'],
    ['const took = Date.now() - began;', 'elapsed time'],
    ['while (Date.now() < deadline) {', 'a loop until a time'],
  ];
  for (const [line, form] of refused) assert.deepEqual(find(line), [form], line);
  const fine = [
    'await sleep(asSubject(490));',
    'setTimeout(resolve, asSubject(2 * patience))',
    'await page.waitForTimeout(asSubject(4000));',
    'await eventually(() => told.length > 0);',
    'new Promise<void>(resolve => void setTimeout(resolve))',
    'operation({ timeout: asSubject(400) })',
    'const options = { timeout: 120_000 };',
    'signal: AbortSignal.timeout(10_000),',
    'new Date(Date.now() - days * 86_400_000)',
    "const force = setTimeout(() => child.kill('SIGKILL'), 10_000);",
    "t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });",
  ];
  for (const line of fine) assert.deepEqual(find(line), [], line);
});

test('few times are the subject of a test', () => {
  const uses = files.flatMap(file => [...readSource(file).matchAll(/\basSubject\(/g)].map(() => file));
  assert.ok(uses.length <= mostSubjects, `${uses.length}: ${[...new Set(uses)].join(', ')}`);
});
