import { existsSync } from 'node:fs';

/** Sources of which mutants are drawn, and the test files that guard them. */
export type Area = {
  readonly sources: readonly string[];
  /** Run one stage after the other until a test fails: the nearest and fastest first. */
  readonly stages: readonly (readonly string[])[];
};

const rules = 'shared/rules';

export const areas: Readonly<Record<string, Area>> = {
  trim: {
    sources: [
      'server/layouts/trim/trim.ts',
      'server/layouts/trim/capabilities.ts',
      'server/layouts/trim/memoise-by-questions.ts',
      'server/access/requirement.ts',
    ],
    stages: [
      ['nodes', 'data', 'properties', 'targets']
        .map(part => `test/layouts/trim-${part}.test.ts`)
        .concat('test/access/requirement.test.ts'),
      ['capabilities', 'switched', 'memoise-by-questions', 'explain', 'live'].map(
        name => `test/layouts/${name}.test.ts`,
      ),
      ['test/schemas/restrictions.test.ts', 'test/routes/calls.test.ts'],
    ],
  },
  project: {
    sources: ['project', 'cut', 'narrow'].map(name => `server/layouts/project/${name}.ts`),
    stages: [['test/layouts/project.test.ts'], ['test/routes/reads.test.ts', 'test/routes/hostile-bodies.test.ts']],
  },
  press: {
    sources: ['server/calls/press.ts', 'server/operations/parameters.ts', 'server/operations/check-body.ts'],
    stages: [
      ['test/commands/live-edit.test.ts', 'test/routes/calls.test.ts'],
      ['test/routes/odd-links.test.ts', 'test/commands/delivered.test.ts', 'test/commands/psa-match.test.ts'],
      ['test/commands/mailboxes.test.ts'],
    ],
  },
  attempts: {
    sources: ['server/session/attempts.ts', 'shared/rules/ip-address.ts'],
    stages: [
      ['test/session/attempts.test.ts', 'test/session/networks.test.ts'],
      ['test/store/bounded-audit.test.ts', 'test/session/refusals.test.ts', 'test/commands/public-links.test.ts'],
    ],
  },
  validation: {
    sources: [
      ...['validation', 'condition', 'fields', 'path', 'pattern', 'text', 'read-lines', 'write-lines'].map(
        name => `${rules}/${name}.ts`,
      ),
      ...['rows', 'route', 'read-request', 'match-changes', 'format'].map(name => `${rules}/${name}.ts`),
      'server/layouts/names/pattern.ts',
    ],
    stages: [
      [
        ...['validation', 'validation-form', 'condition', 'path', 'text', 'lines', 'rows', 'route', 'request']
          .concat('changes', 'format')
          .map(name => `test/${rules}/${name}.test.ts`),
        'test/layouts/pattern.test.ts',
      ],
      ['test/client/runtime/form-activity.test.ts', 'test/routes/calls.test.ts'],
    ],
  },
};

/** Gives the files that the table of areas names and that do not exist: the table must follow when files move. */
export function missingFiles(): string[] {
  const files = Object.values(areas).flatMap(({ sources, stages }) => [...sources, ...stages.flat()]);
  return files.filter(file => !existsSync(file));
}
