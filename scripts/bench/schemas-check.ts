import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkFolder } from '../../server/layouts/index.ts';
import { writeDocuments } from './generated-documents.ts';
import type { Measure } from './report.ts';

/**
 * Measures `npm run schemas check` of 1,000 documents, in a process that is warm: it has checked the project's own
 * before.
 */
export async function benchSchemasCheck(root: string): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-bench-schemas-'));
  try {
    await writeDocuments(join(root, 'schemas'), folder, 1000);
    await checkFolder(join(root, 'schemas'), commandDeclarations);
    const from = performance.now();
    const problems = await checkFolder(folder, commandDeclarations);
    const measured = performance.now() - from;
    const errors = problems.filter(({ severity, file }) => severity === 'error' && file.includes('bench'));
    if (errors.length) throw new Error(`The generated documents have errors: ${errors[0]?.message}`);
    return [{ what: 'check of 1,000 documents', measured, limit: 1200, unit: 'ms' }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
