import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withReference } from './docs/guide.ts';
import { readTopics, writeSite } from './docs/site.ts';

// npm run docs: the reference of the layout language, as pages and in the guide of those who edit the schemas.
const root = join(import.meta.dirname, '..');
const guide = join(root, 'schemas/README.md');
const written = await readFile(guide, 'utf8');
const now = withReference(written, await readTopics(join(root, 'schemas')));
if (now !== written) await writeFile(guide, now);
await writeSite(root, process.env.DOCS_DIR ?? join(root, 'dist/docs'));
console.log('The reference is in dist/docs and schemas/README.md.');
