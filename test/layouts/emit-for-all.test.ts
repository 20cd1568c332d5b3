import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { Principal } from '../../server/access/principal.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { followAll, fullestPrincipals } from '../../server/layouts/check/reach.ts';
import { compile } from '../../server/layouts/compile/compile.ts';
import { createLoader, type Source } from '../../server/layouts/load/load.ts';
import type { Compiled, Lead } from '../../server/layouts/pass.ts';
import { callerFacts } from '../../server/layouts/pass.ts';
import { emitDocument, trim } from '../../server/layouts/trim/trim.ts';
import { schemaSet } from '../fixtures/schemas.ts';
import { drawPrincipal } from './drawn-principal.ts';
import { drawSet } from './drawn-set.ts';

type Found = { reached: string[]; nowhere: string[] };
const leadName = ({ source, at, target }: Lead): string => `${source.file} ${at.join('/')} ${target}`;

/** The plain way: every document for every principal. */
function plainly(compiled: Compiled, principals: readonly Principal[]): Found {
  const reached = new Set<string>();
  const seen = new Set<Lead>();
  const followed = new Set<Lead>();
  for (const principal of principals) {
    const { navigation, screens, popups } = trim(compiled, principal);
    for (const one of [...(navigation ? [navigation] : []), ...screens.values(), ...popups.values()])
      reached.add(`${one.layout.kind}:${one.id}`);
    const dead = new Set<string>();
    for (let before = -1; before < dead.size; ) {
      before = dead.size;
      for (const document of compiled.documents.values())
        if (!emitDocument(compiled, document, callerFacts(principal, dead))) dead.add(document.key);
    }
    for (const document of compiled.documents.values())
      if (!dead.has(document.key))
        emitDocument(compiled, document, callerFacts(principal, dead), {
          lead(lead, there) {
            seen.add(lead);
            if (there) followed.add(lead);
          },
        });
  }
  const nowhere = [...seen].filter(lead => !followed.has(lead));
  return { reached: [...reached].sort(), nowhere: nowhere.map(leadName).sort() };
}

function together(compiled: Compiled, principals: readonly Principal[]): Found {
  const { reached, nowhere } = followAll(compiled, principals);
  return { reached: [...reached].sort(), nowhere: nowhere.map(leadName).sort() };
}

let own: readonly Source[];
before(async () => {
  own = createLoader(join(import.meta.dirname, '../../schemas'))().sources;
});

/** The project's documents with a requirement put on one of them, or taken from it. */
function changed(file: string, requires: object | undefined): readonly Source[] {
  return own.map(source => (source.file === file ? { ...source, json: { ...source.json, requires } } : source));
}

test('what is found for all principals together is what every one of them gets by itself', () => {
  const { compiled } = compile(own, commandDeclarations);
  const principals = fullestPrincipals(compiled);
  const found = together(compiled, principals);
  assert.ok(found.reached.length > 50);
  assert.deepEqual(found, plainly(compiled, principals));
});

test('so it is where documents are lost for all, for some, or left without a requirement', () => {
  for (const [turn, requires] of [{ userTypes: ['public'], prices: true }, { switched: true }, undefined].entries()) {
    for (const file of ['customers/customer.json', 'navigation.json']) {
      const sources = changed(file, requires);
      const { compiled } = compile(sources, commandDeclarations);
      // Each change is met by another third of them: the plain way takes seconds for all.
      const principals = fullestPrincipals(compiled).filter((_, index) => index % 3 === turn);
      assert.ok(principals.length > 10);
      assert.deepEqual(together(compiled, principals), plainly(compiled, principals), file);
    }
  }
});

test('so it is for any set of documents and any principals', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(0xffff)), stream => {
      const draw = (count: number): number => Number(stream.next().value) % count;
      const { set, commands } = drawSet(draw, false);
      const { compiled } = compile(schemaSet(set), commands);
      const principals = Array.from({ length: 6 }, () => drawPrincipal(draw));
      assert.deepEqual(together(compiled, principals), plainly(compiled, principals));
    }),
    { numRuns: 60 },
  );
});
