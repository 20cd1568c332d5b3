import { join } from 'node:path';
import { writeSite } from './docs/site.ts';

// npm run docs: the reference of the layout language, as pages.
const root = join(import.meta.dirname, '..');
await writeSite(root, process.env.DOCS_DIR ?? join(root, 'dist/docs'));
console.log('The reference is in dist/docs.');
