import { existsSync, readFileSync } from 'node:fs';
import { copyFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FunctionDefinition } from '#local/aws/template/functions.ts';
import type { CpuProfile } from './cpu-profile.ts';

/** Requests that a process serves before it is profiled, and those that are profiled. */
export const warmUp = 200;
export const requests = 500;

const entry = new URL('./profiled-entry.mjs', import.meta.url);

const intervalMicroseconds = 200;

export interface Profiled {
  /** The processor time of the profiled requests, that of threads beside the main one included. */
  cpuMilliseconds: number;
  profile: CpuProfile;
}

export interface ProfiledFunction {
  /** The bundle as the profile names it, and its source map. */
  bundle: string;
  sourceMap: string;
  /** Returns what the first process to serve enough requests found, as soon as there is one. */
  read(): Profiled | undefined;
}

/** Puts the profiler before a function's handler. Its processes need no other flags, and the local world no changes. */
export async function profileFunction({ assetFolder }: FunctionDefinition): Promise<ProfiledFunction> {
  const file = (name: string) => join(assetFolder, name);
  const output = file('profile.json');
  await rename(file('index.mjs'), file('function.mjs'));
  await copyFile(entry, file('index.mjs'));
  await writeFile(file('profiling.json'), JSON.stringify({ warmUp, requests, intervalMicroseconds, output }));
  return {
    bundle: file('function.mjs'),
    sourceMap: file('index.mjs.map'),
    read: () => (existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : undefined),
  };
}
