import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface BackgroundProcess {
  /** What it has printed so far. */
  output: () => string;
  hasEnded: () => boolean;
  /** Asks it to end, and waits until it has. */
  stop: () => Promise<void>;
}

/** Starts a program that also ends if this process is killed. */
export function startProcess(command: string, args: string[], environment: NodeJS.ProcessEnv = {}): BackgroundProcess {
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', command, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = once(child, 'close').catch((error) => {
    output += error;
  });
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return {
    output: () => output,
    hasEnded: () => hasEnded,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
