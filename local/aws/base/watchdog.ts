import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Watchdog {
  watch(pid: number): void;
  forget(pid: number): void;
  close(): void;
}

// Each line is the whole list. When the pipe ends, the shell kills the processes of the last line.
const script = 'while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';

/**
 * Kills the processes that it watches when this process ends, however it ends. A frozen process (SIGSTOP) cannot notice
 * that itself. A shell in its own process group does, because its pipe breaks.
 *
 * Windows has no such shell: there, only a process that ends in order takes its children with it.
 */
export async function startWatchdog(): Promise<Watchdog> {
  if (process.platform === 'win32') return { watch() {}, forget() {}, close() {} };
  const shell = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  await once(shell, 'spawn');
  shell.unref();
  // This process survives when somebody kills the shell.
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
