import { watchProcessorTime } from './processor-time.ts';

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
