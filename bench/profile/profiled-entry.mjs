// Stands before a function's handler: profiles some requests once the process is warm, and writes what it saw.
import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const file = (name) => join(import.meta.dirname, name);
const { handler: profiled } = await import(pathToFileURL(file('function.mjs')).href);
const { warmUp, requests, intervalMicroseconds, output } = JSON.parse(readFileSync(file('profiling.json'), 'utf8'));
const session = new Session();
let served = 0;
let cpuBefore;

async function start() {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: intervalMicroseconds });
  await session.post('Profiler.start');
  cpuBefore = process.cpuUsage();
}

async function stop() {
  const { user, system } = process.cpuUsage(cpuBefore);
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(output, JSON.stringify({ cpuMilliseconds: (user + system) / 1000, profile }));
}

export const handler = async (event, context) => {
  if (served === warmUp) await start();
  try {
    return await profiled(event, context);
  } finally {
    served += 1;
    if (served === warmUp + requests) await stop();
  }
};
