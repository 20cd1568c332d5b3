import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of the clock in /proc are hundredths of a second on every Linux. */
const tick = 100;

type Times = { readonly parent: number; readonly own: number; readonly ended: number };

/**
 * Seconds of processor time so far: of this process, of all that it started and that have ended, and of the processes
 * below `others`, such as a database that is no child of ours. Undefined where there is no /proc.
 */
export function readProcessorTime(...others: readonly number[]): number | undefined {
  const self = readTimes(process.pid);
  if (!self) return undefined;
  let sum = self.own + self.ended;
  if (others.length === 0) return sum;
  for (const pid of readdirSync('/proc')) {
    const times = /^\d+$/.test(pid) ? readTimes(Number(pid)) : undefined;
    if (!times) continue;
    if (others.includes(Number(pid))) sum += times.own + times.ended;
    else if (others.includes(times.parent)) sum += times.own;
  }
  return sum;
}

function readTimes(pid: number): Times | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may have blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const seconds = (from: number): number => (Number(fields[from]) + Number(fields[from + 1])) / tick;
    return { parent: Number(fields[1]), own: seconds(11), ended: seconds(13) };
  } catch {
    return undefined;
  }
}
