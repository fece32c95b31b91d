import { cpus } from 'node:os';

/** What the cores of this machine have done since it started, in milliseconds of all cores together. */
interface CoreTimes {
  readonly idle: number;
  readonly all: number;
  readonly cores: number;
}

function readCoreTimes(): CoreTimes {
  const times = cpus().map(({ times }) => times);
  const idle = times.reduce((sum, one) => sum + one.idle, 0);
  const all = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle);
  return { idle, all, cores: times.length };
}

const leastMs = 50;
const maxMs = 500;

/** Says whether the machine has processor time left. Ask often: the answer is about the time since the last question. */
export function watchProcessorTime(read: () => CoreTimes = readCoreTimes, now = () => performance.now()) {
  let last = read();
  let askedAt = now();
  let isLeft = true;

  /** Whether at least half a core has been idle since the last call. If that was long ago, the result is true. */
  return function isProcessorTimeLeft(): boolean {
    const elapsed = now() - askedAt;
    if (elapsed < leastMs) return isLeft;
    const current = read();
    const idleCores = ((current.idle - last.idle) / Math.max(1, current.all - last.all)) * current.cores;
    isLeft = elapsed > maxMs || idleCores >= 0.5;
    last = current;
    askedAt = now();
    return isLeft;
  };
}
