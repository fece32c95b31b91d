import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The processes of this machine, from Linux's /proc. Processes that end while they are read are left out. */
export interface RunningProcess {
  pid: number;
  parent: number;
  environment: Record<string, string>;
}

export function runningProcesses(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => unlessGone(() => [readProcess(Number(pid))], []));
}

/** The descendants of a process. */
export function descendants(ancestor: number, among = runningProcesses()): RunningProcess[] {
  const children = among.filter(({ parent }) => parent === ancestor);
  return [...children, ...children.flatMap(({ pid }) => descendants(pid, among))];
}

/** Kills the processes of a function of the local world. The requests that they serve end with the gateway's own 500. */
export function killFunction(functionName: string): void {
  for (const { pid, environment } of descendants(process.pid)) {
    if (environment.AWS_LAMBDA_FUNCTION_NAME === functionName) process.kill(pid, 'SIGKILL');
  }
}

/** Addresses (hex, as in /proc/net/tcp) and ports that a process listens on. */
export function listeningSockets(pid: number): string[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`)
      .map((fd) => unlessGone(() => readlinkSync(`/proc/${pid}/fd/${fd}`), ''))
      .map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]),
  );
  return ['tcp', 'tcp6'].flatMap((protocol) => {
    const lines = unlessGone(() => readFileSync(`/proc/${pid}/net/${protocol}`, 'utf8').split('\n').slice(1), []);
    return lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === listening && sockets.has(inode))
      .map(([, address = '']) => address);
  });
}

const listening = '0A';

function readProcess(pid: number): RunningProcess {
  // The name in parentheses may itself contain spaces and parentheses.
  const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  if (state === 'Z') throw new Error('A zombie has ended and only keeps its exit code');
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return {
    pid,
    parent: Number(parent),
    environment: Object.fromEntries(environment.map((entry) => entry.split(/=(.*)/s).slice(0, 2))),
  };
}

function unlessGone<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
