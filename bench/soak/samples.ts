import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { median } from '../report/statistics.ts';
import type { SoakWorld } from './soak-world.ts';

/** The resources that the service uses at one moment. */
export interface Sample {
  /** Resident memory in MB. */
  worldMb: number;
  engineMb: number;
  largestFunctionMb: number;
  functionProcesses: number;
  /** Number of files in the data folder, without the table and the bucket, which keep what they hold for days. */
  files: number;
  otherMb: number;
  tableMb: number;
}

export function takeSample(world: SoakWorld, dataDir: string): Sample {
  const { world: pid, children } = world.processes();
  const isFunction = ({ environment }: { environment: Record<string, string> }) =>
    environment.AWS_LAMBDA_FUNCTION_NAME !== undefined;
  const functions = children.filter(isFunction).map((child) => residentMb(child.pid));
  const engines = children.filter((child) => !isFunction(child)).map((child) => residentMb(child.pid));
  const files = filesIn(dataDir);
  const isTable = ({ name }: { name: string }) => name.startsWith('dynamodb.db');
  const others = files.filter((file) => !isTable(file) && !file.isInBucket);
  return {
    worldMb: residentMb(pid),
    engineMb: Math.max(0, ...engines),
    largestFunctionMb: Math.max(0, ...functions),
    functionProcesses: functions.length,
    files: others.length,
    otherMb: megabytes(others),
    tableMb: megabytes(files.filter(isTable)),
  };
}

/** The median of the middle third of a series and that of its last third. */
export interface Trend {
  middle: number;
  last: number;
}

export function trendOf(values: readonly number[]): Trend {
  const third = Math.floor(values.length / 3);
  if (third === 0) throw new Error('A trend needs three samples or more');
  return { middle: median(values.slice(third, 2 * third)), last: median(values.slice(2 * third)) };
}

/** Whether the series grows by more than a quarter plus a constant. Short runs and chance may cause smaller growth. */
export function grows({ middle, last }: Trend, constant: number): boolean {
  return last > middle * 1.25 + constant;
}

function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const megabytes = (files: readonly { bytes: number }[]) => files.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;

interface DataFile {
  name: string;
  bytes: number;
  isInBucket: boolean;
}

function filesIn(folder: string): DataFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    try {
      const { size } = statSync(join(entry.parentPath, entry.name));
      // `BUCKET/files`, as the local bucket keeps its objects.
      return [{ name: entry.name, bytes: size, isInBucket: basename(entry.parentPath) === 'files' }];
    } catch {
      return [];
    }
  });
}
