import { declareHostileChecks, screen, times } from './hostile-check.ts';

// One that cannot be read and one that is wrong; hostile-documents.deep.test.ts has others.
declareHostileChecks([
  ['with one name 40,000 times', `{${times(40_000, () => '"a":1').join(',\n')}}`, '2:1: error: "a" stands here twice.'],
  [
    'with 14,000 nodes that there are not',
    screen(times(28, () => ({ type: 'stack', children: times(500, () => ({ type: 'headin' })) }))),
    'error: Node type "headin" not found. Did you mean "heading"?',
  ],
]);
