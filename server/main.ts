import closeWithGrace from 'close-with-grace';
import { readConfig } from './config.ts';
import { explainStart, type Leave, start, type Undo, undoAll } from './start.ts';

const undo: Undo = [];
let leave: Leave | undefined;
// Each part has a bound of its own.
closeWithGrace({ delay: false, logger: false }, async ({ signal }) => {
  await leave?.(signal);
  await undoAll(undo);
});
try {
  leave = await start(readConfig(process.env), undo);
} catch (error) {
  process.stderr.write(`${explainStart(error)}\n`);
  await undoAll(undo);
  process.exit(1);
}
