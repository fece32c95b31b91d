import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';

const script = `
  import { stopSignal } from '${new URL('stop-signal.ts', import.meta.url)}';
  stopSignal().addEventListener('abort', () => {
    console.log('stopped');
    process.exit();
  });
  setInterval(() => {}, 1_000);
  console.log(process.pid);`;

it.skipIf(process.platform === 'win32')('a script stops in order when npm, which runs it, is terminated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'script-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'script.mjs'), script);
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ scripts: { start: `"${process.execPath}" script.mjs` } }),
  );
  const npm = spawn('npm', ['start', '--silent'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(npm.stdout);
  const pid = Number((await once(lines, 'line'))[0]);
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  });

  npm.kill('SIGTERM');
  expect(await once(lines, 'line')).toEqual(['stopped']);
});
