import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '#local/aws/base/http/free-port.ts';
import { createSecret, signatureHeaders } from '#shared/domain/signing/webhook-signature.ts';
import { soon } from '../../support/worlds/delivery-world.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/receiving-webhooks.md'), 'utf8');

const sampleIn = (language: string) => guide.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

/** The samples, which listen on every address, kept to loopback. */
const node = sampleIn('js').replace('.listen(process.env.PORT ?? 8080)', ".listen(process.env.PORT, '127.0.0.1')");
const python = sampleIn('python').replace('(("", ', '(("127.0.0.1", ');

const hasPython = spawnSync('python3', ['--version']).status === 0;

async function startSample(command: string, args: readonly string[]) {
  const secret = createSecret();
  const port = await freePort();
  const sample = spawn(command, args, { env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) } });
  onTestFinished(() => end(sample));
  let output = '';
  for (const stream of [sample.stdout, sample.stderr]) stream.on('data', (data) => (output += data));
  await expect.poll(() => isOpen(port), soon).toBe(true);

  const post = async (id: string, body: string, signedWith = secret) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = { ...signatureHeaders({ id, timestamp, body, secrets: [signedWith] }) };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  };
  return { port, post, output: () => output };
}

async function end(sample: ChildProcess): Promise<void> {
  if (sample.exitCode !== null || sample.signalCode !== null) return;
  sample.kill();
  await once(sample, 'exit');
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** Begins a request and breaks off in the middle of its body. */
async function breakOff(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  await new Promise((resolve) => {
    socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"half":', resolve);
  });
  socket.destroy();
  await once(socket, 'close');
}

describe('the sample receiver', () => {
  it.each([
    ['in Node', process.execPath, ['--input-type=module', '--eval', node], true],
    ['in Python', 'python3', ['-c', python], hasPython],
  ] as const)(
    '%s accepts each genuine notification once, and handles interrupted requests',
    async (_, command, args, available) => {
      if (!available) return;
      const { port, post, output } = await startSample(command, args);
      expect(await post('id-1', '{"text":"first"}', createSecret())).toBe(401);
      await breakOff(port);
      expect([await post('id-1', '{"text":"first"}'), await post('id-1', '{"text":"first"}')]).toEqual([200, 200]);
      await breakOff(port);
      expect(await post('id-2', '{"text":"second"}')).toBe(200);
      await expect.poll(output, soon).toMatch(/second/);
      expect(output().match(/first/g)).toHaveLength(1);
    },
  );

  it('in Node fits on one page', () => {
    expect(sampleIn('js').trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  });
});
