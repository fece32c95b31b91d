#!/usr/bin/env node
/**
 * The command line of the project, for every Node from 14 on: where Node is too old, this file runs itself again with
 * the Node that `npm ci` installs. It has no syntax that is newer than Node 14.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const packages = join(self, '..', 'node_modules');
const isWindows = process.platform === 'win32';
const bundledNode = join(packages, `node-${isWindows ? 'win' : process.platform}-${process.arch}`, 'bin', 'node');
const isOld = Number(process.versions.node.split('.')[0]) < 24;

if (!existsSync(packages)) {
  fail('The packages of the project are missing. Install them first, in its folder: npm ci');
} else if (!isOld) {
  void run();
} else if (existsSync(bundledNode) || existsSync(`${bundledNode}.exe`)) {
  runAgain();
} else if (process.platform === 'darwin') {
  fail(`This project needs Node 24, and this is ${process.versions.node}. Install Node 24 from https://nodejs.org.`);
} else {
  fail(`This project needs Node 24, and this is ${process.versions.node}. To install it for the project: npm ci`);
}

/** Node keeps compiled modules from run to run, which halves the time for loading; so do the processes it starts. */
async function run() {
  const { enableCompileCache } = await import('node:module');
  const folder = process.env.NODE_COMPILE_CACHE || join(packages, '.cache', 'compiled');
  enableCompileCache(folder);
  process.env.NODE_COMPILE_CACHE = folder;
  await import('./cli/main.ts');
}

function runAgain() {
  const child = spawn(bundledNode, [self].concat(process.argv.slice(2)), { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; other signals come only here.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code === null ? 1 : code));
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
