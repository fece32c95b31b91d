import { existsSync, readFileSync } from 'node:fs';
import { descendants } from '#support/processes.ts';

/** Only Linux shows what its processes use. */
export const isReadable = existsSync('/proc/self/stat');
export const unreadable = 'needs /proc of Linux';

/** `getconf CLK_TCK` returns this on every Linux. */
const ticksPerSecond = 100;

/** The processor time of a process, of user and system, without that of its children. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [userTicks, systemTicks] = fields.slice(11, 13);
  return (Number(userTicks) + Number(systemTicks)) / ticksPerSecond;
}

/** The resident memory. What several processes share, such as Node's program, counts in each of them. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** The process of a local world, or one that it started. */
interface WorldProcess {
  pid: number;
  /** The name of a function, `engine` for the DynamoDB engine, or `world` for the rest. */
  part: string;
}

/** Lists the processes of a local world that runs as this process. */
export function worldProcesses(pid: number): WorldProcess[] {
  const started = descendants(pid).map(({ pid, environment }) => ({
    pid,
    part: environment.AWS_LAMBDA_FUNCTION_NAME ?? (nameOf(pid).startsWith('dynoxide') ? 'engine' : 'world'),
  }));
  return [{ pid, part: 'world' }, ...started];
}

/** The processor time of a process since its start. */
export interface Usage {
  pid: number;
  part: string;
  seconds: number;
}

export const readUsage = (pid: number): Usage[] =>
  worldProcesses(pid).map((one) => ({ ...one, seconds: processorSeconds(one.pid) }));

/** Sums up by part. What a new process has spent counts from its start. */
export function spentBetween(before: readonly Usage[], after: readonly Usage[]): Map<string, number> {
  const earlier = new Map(before.map(({ pid, seconds }) => [pid, seconds]));
  const spent = new Map<string, number>();
  for (const { pid, part, seconds } of after) {
    spent.set(part, (spent.get(part) ?? 0) + seconds - (earlier.get(pid) ?? 0));
  }
  return spent;
}

const nameOf = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8');
