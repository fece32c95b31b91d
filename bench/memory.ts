import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Figure } from './report.ts';

interface Process {
  kilobytes: number;
  command: string;
}

/** Measures the resident memory of the running local world, a child of this process. */
export async function measureMemory(): Promise<Figure[]> {
  const children = await readChildren();
  const largest = (of: string) =>
    Math.max(...children.flatMap(({ command, kilobytes }) => (command.includes(of) ? [kilobytes] : [])));
  const megabytes = (kilobytes: number) => kilobytes / 1024;
  return [
    {
      what: 'Memory of the largest function process, after the load',
      value: megabytes(largest('bootstrap.mjs')),
      unit: 'MB',
    },
    { what: 'Memory of the DynamoDB engine, after the load', value: megabytes(largest('dynoxide')), unit: 'MB' },
    {
      what: 'Memory of the rest of the local world, after the load',
      value: process.memoryUsage.rss() / 2 ** 20,
      unit: 'MB',
    },
  ];
}

async function readChildren(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-Ao', 'ppid=,rss=,command=']);
  return stdout.split('\n').flatMap((line) => {
    const [, parent, kilobytes, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === process.pid ? [{ kilobytes: Number(kilobytes), command }] : [];
  });
}
