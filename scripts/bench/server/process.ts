import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process that serves on loopback. */
export type Served = { readonly url: string; readonly pid: number; readonly stop: () => Promise<void> };

/** Starts a server file of this folder in a process of its own, and resolves once it has told its port. */
export async function startProcess(file: string, ...parts: string[]): Promise<Served> {
  const child = fork(join(import.meta.dirname, file), parts, { execArgv: ['--import', 'tsx'] });
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('message', message => resolve(message as { port: number }));
    child.once('exit', code => reject(new Error(`${file} ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}`, pid: child.pid!, stop: () => ended(child) };
}

/** Processor time that a process has used, all threads, in milliseconds (Linux: /proc/<pid>/stat, in ticks of 10 ms). */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Memory that a process holds, in MB. */
export function residentMemory(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    child.removeAllListeners('exit').once('exit', () => resolve());
    child.kill();
  });
}
