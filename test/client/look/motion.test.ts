import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';

/** A browser moves and fades these without painting again; anything else is painted anew for every frame. */
const cheap = new Set(['opacity', 'transform']);

const { outputFiles } = await build({
  entryPoints: ['client/look/index.css'],
  bundle: true,
  minify: true,
  write: false,
  // One way to write each value, without prefixes of old browsers.
  target: 'es2022',
});
const styles = outputFiles[0]!.text;

test('transitions change opacity and transform alone, as anything else repaints every frame', () => {
  const lists = [...styles.matchAll(/[{;]transition(?:-property)?:([^;}]+)/g)].map(([, list]) => list!);
  assert.ok(lists.length > 1);
  const properties = lists.flatMap(propertiesOf).filter(name => name !== 'none');
  assert.ok(properties.length > 0);
  assert.deepEqual(
    properties.filter(name => !cheap.has(name)),
    [],
  );
});

test('animations change opacity and transform alone', () => {
  const keyframes = [...styles.matchAll(/@keyframes ([\w-]+)\{((?:[^{}]*\{[^{}]*\})+)\}/g)];
  assert.equal(keyframes.length, styles.split('@keyframes').length - 1);
  const changed = keyframes.flatMap(([, name, frames]) =>
    [...frames!.matchAll(/[{;]([\w-]+):/g)].map(([, property]) => `${name} ${property}`),
  );
  assert.ok(changed.length >= keyframes.length && keyframes.length > 0);
  assert.deepEqual(
    changed.filter(found => !cheap.has(found.split(' ')[1]!)),
    [],
  );
});

test('every animation that a style plays is defined', () => {
  const defined = new Set([...styles.matchAll(/@keyframes ([\w-]+)/g)].map(([, name]) => name));
  const played = [...styles.matchAll(/[{;]animation(?:-name)?:([^;}]+)/g)]
    .map(([, value]) => value!.replace(/!important/, ''))
    .filter(value => value !== 'none');
  assert.ok(played.length > 0);
  assert.deepEqual(
    played.filter(value => !value.split(/[\s,]+/).some(word => defined.has(word))),
    [],
  );
});

/** The properties that a `transition` names; one that names none means all of them. */
function propertiesOf(transition: string): string[] {
  const other = /^(?:[\d.]+m?s|ease(?:-in)?(?:-out)?|linear|step-(?:start|end)|allow-discrete)$/;
  return transition
    .replace('!important', '')
    .replace(/\b[\w-]+\((?:[^()]|\([^()]*\))*\)/g, '')
    .split(',')
    .map(part => part.split(/\s+/).find(word => word !== '' && !other.test(word)) ?? 'all');
}
