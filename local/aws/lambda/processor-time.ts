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

const stepMs = 250;

const isProcessorTimeLeft = watchProcessorTime();

/**
 * Calls back after this time. On AWS, every function has processor time; here all may have to wait for a core. While no
 * core is idle, time passes at a third of its speed, and while this process itself cannot run, not at all.
 * @returns how to stop it
 */
export function startTimer(
  milliseconds: number,
  callback: () => void,
  isTimeLeft: () => boolean = isProcessorTimeLeft,
): () => void {
  let left = milliseconds;
  let timer: NodeJS.Timeout;
  const step = () => {
    const length = Math.min(left, stepMs);
    timer = setTimeout(() => {
      left -= isTimeLeft() ? length : length / 3;
      if (left > 0.5) step();
      else callback();
    }, length);
  };
  step();
  return () => clearTimeout(timer);
}
