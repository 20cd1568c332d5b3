import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, readComplaints } from './failures.ts';

/** Where reports, logs and screenshots of a run are kept. */
export const results = join(import.meta.dirname, '../../test/results');

/** A tool of node_modules: its file and arguments. */
export type Tool = readonly [file: string, ...parts: string[]];

/**
 * Runs all tools one after the other, the later ones too when one fails, and writes their output to
 * `test/results/<name>.log`. Gives no complaint when all succeed; else it prints the whole log and gives what stands there.
 */
export async function runTools(name: string, ...tools: readonly Tool[]): Promise<readonly Failure[]> {
  const log = join(results, `${name}.log`);
  const output = createWriteStream(log);
  let good = true;
  for (const tool of tools) good = (await runTool(tool, output)) && good;
  await new Promise<void>(resolve => output.end(resolve));
  if (good) return [];
  const text = await readFile(log, 'utf8');
  console.log(text);
  const complaints = readComplaints(name, text);
  return complaints.length > 0 ? complaints : [{ stage: name, sentence: 'failed without a word' }];
}

function runTool([file, ...parts]: Tool, output: NodeJS.WritableStream): Promise<boolean> {
  const root = join(import.meta.dirname, '../..');
  const child = spawn(process.execPath, [join(root, file), ...parts], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve(code === 0));
  });
}
