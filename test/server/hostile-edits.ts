import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { eventually } from '../fixtures/eventually.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

/** Declares for each text (what it is of, the text) that a document of it harms nobody in a running portal, and gives that portal. */
export function declareHostileEdits(texts: readonly (readonly [what: string, text: string])[]) {
  const sandbox = withSandbox();
  const schemas = withEditedSchemas();
  const token = 'a-token-for-figures';
  const portal = withPortal(sandbox, () => ({ schemasDir: schemas.folder, env: { METRICS_TOKEN: token } }));
  const reseller = withClient(portal, 'reseller@northwind.test');
  const engineer = withClient(portal, 'engineer@northwind.test');

  /** How many errors the documents have, as an operator is told. */
  const broken = async (): Promise<number> => {
    const { text } = await portal.client().get('/metrics', { authorization: `Bearer ${token}` });
    return Number(/^schemas_broken (\d+)$/m.exec(text)?.[1]);
  };

  /** All that two callers have of every screen: their layouts are named by what is in them. */
  async function served(): Promise<string> {
    const boots = await Promise.all([reseller, engineer].map(caller => caller.get('/ui/boot')));
    const data = await Promise.all([reseller, engineer].map(caller => caller.get('/ui/screen?path=/customers')));
    for (const { status } of [...boots, ...data]) assert.equal(status, 200);
    return boots.map(({ text }) => text).join('\n');
  }

  let saves = 0;
  /** Saves an edit that is right and waits until it is served. */
  async function saveTitle(): Promise<void> {
    saves += 1;
    const title = `"Customers ${saves}"`;
    await schemas.edit('text/en/customers.json', text => text.replace(/"title": "[^"]*"/, `"title": ${title}`));
    await eventually(
      async () => (await engineer.get('/ui/screen?path=/customers')).text.includes(title),
      `the title ${title} is served`,
    );
  }

  const wrong = 'customers/wrong.json';
  const folderOfMany = 'aa-many';

  afterEach(async () => {
    await rm(join(schemas.folder, wrong), { force: true });
    await rm(join(schemas.folder, folderOfMany), { recursive: true, force: true });
    await eventually(async () => (await broken()) === 0, 'the documents are whole again');
    await saveTitle();
  });

  for (const [what, text] of texts)
    test(`while a document ${what} lies there, the last good version is served and others are edited on`, async () => {
      const before = await served();
      await writeFile(join(schemas.folder, wrong), text);
      await eventually(async () => (await broken()) > 0, 'the document counts as broken');
      assert.equal(await served(), before);
      await saveTitle();
      assert.ok((await broken()) > 0);
    });

  return { schemas, folderOfMany, reseller, engineer, broken, served };
}
