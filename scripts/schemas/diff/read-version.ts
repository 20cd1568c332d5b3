import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandDeclarations } from '../../../server/commands/index.ts';
import { readFolder } from '../../../server/layouts/index.ts';
import type { Compiled } from '../../../server/layouts/names/pass.ts';
import { defaultFolder, printProblems } from '../command.ts';

const isFolder = (name: string): boolean => existsSync(name) && statSync(name).isDirectory();

/** Writes the schemas folder of a git revision into a folder that is removed after the reading. */
async function withRevision<T>(revision: string, read: (folder: string) => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'schemas-'));
  try {
    const archive = execFileSync('git', ['archive', '--format=tar', `${revision}:./${defaultFolder()}`], {
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    execFileSync('tar', ['-x', '-C', scratch], { input: archive });
    return await read(scratch);
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer };
    if (!stderr) throw error;
    throw new Error(
      `"${revision}" is no folder, and no git revision with ${defaultFolder()}: ${stderr.toString().trim()}`,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The documents of a folder or of a git revision; undefined, with the problems printed, where they have errors. */
export async function readVersion(name: string): Promise<Compiled | undefined> {
  const read = async (folder: string): Promise<Compiled | undefined> => {
    const { compiled, problems } = await readFolder(path.resolve(folder), commandDeclarations);
    if (!compiled) printProblems(name, problems);
    return compiled;
  };
  return isFolder(name) ? read(name) : withRevision(name, read);
}
