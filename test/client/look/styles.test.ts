import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { iconNames } from '../../../shared/language/icons.ts';
import { assertEvery } from '../../fixtures/rows.ts';

const folder = 'client/look';
const styles = readdirSync(folder)
  .filter(file => file.endsWith('.css'))
  .map(file => readFileSync(`${folder}/${file}`, 'utf8'))
  .join('\n');

test('all styles together stay below 13 KB, minified and compressed', async () => {
  const { outputFiles } = await build({
    entryPoints: [`${folder}/index.css`],
    bundle: true,
    minify: true,
    write: false,
  });
  const size = brotliCompressSync(outputFiles[0]?.contents ?? '').length;
  assert.ok(size > 0 && size <= 14_000, `${size} bytes`);
});

test('every custom property that a style uses is defined', () => {
  const defined = new Set([...styles.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name));
  const used = new Set([...styles.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  assertEvery([...used], name => defined.has(name));
});

test('colours are written in the tokens alone', () => {
  const parts = readdirSync(folder).filter(file => file.endsWith('.css') && file !== 'tokens.css');
  const literal = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|oklab)\((?!from)/i;
  const found = parts.filter(file =>
    literal.test(readFileSync(`${folder}/${file}`, 'utf8').replace(/mask-image:[^;]*/g, '')),
  );
  assert.deepEqual(found, []);
});

test('every icon that the code names is in the sprite', () => {
  const sprite = new Set(
    [...readFileSync(`${folder}/icons.svg`, 'utf8').matchAll(/<symbol id="([\w-]+)"/g)].map(([, id]) => id),
  );
  const code = ['client/look', 'client/nodes', 'client/shell', 'client/runtime'].flatMap(path =>
    readdirSync(path)
      .filter(file => file.endsWith('.tsx'))
      .map(file => readFileSync(`${path}/${file}`, 'utf8')),
  );
  const named = code.flatMap(text =>
    [...text.matchAll(/<(?:Icon name|Tile icon)="([\w-]+)"/g)].map(([, name]) => name),
  );
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter(name => !sprite.has(name)),
    [],
  );
});

test('the layout language knows the symbols of the icon set, and no others', () => {
  const symbols = [...readFileSync(`${folder}/icons.svg`, 'utf8').matchAll(/<symbol id="([^"]+)"/g)].map(
    ([, id]) => id,
  );
  assert.deepEqual([...iconNames].sort(), symbols.sort());
});
