import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Watchdog {
  watch(pid: number): void;
  forget(pid: number): void;
  close(): void;
}

// Each line is the whole list; when the pipe ends, what the last one holds is killed.
const script = 'while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';

/**
 * Kills the processes it watches when this process ends, however it ends. A function's process that is frozen
 * (SIGSTOP) cannot notice that itself, so a shell in a process group of its own does, by the pipe that breaks.
 *
 * POSIX only.
 */
export async function startWatchdog(): Promise<Watchdog> {
  const shell = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  await once(shell, 'spawn');
  shell.unref();
  // If somebody kills the shell, that is no reason for this process to go.
  shell.stdin.on('error', () => undefined);
  const pids = new Set<number>();
  const report = () => shell.stdin.write(`${[...pids].join(' ')}\n`);
  return {
    watch(pid) {
      pids.add(pid);
      report();
    },
    forget(pid) {
      pids.delete(pid);
      report();
    },
    close() {
      shell.stdin.end();
    },
  };
}
