import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '#local/aws/base/http/free-port.ts';
import { createSecret, signatureHeaders } from '#shared/webhooks/webhook-signature.ts';
import { startReceiver, verified } from '../../support/http/receiver.ts';
import { soon } from '../../support/worlds/delivery-world.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/receiving-webhooks.md'), 'utf8');

/** The samples of the guide in a language. In Node, the first is a receiver and the second a forwarder. */
const samplesIn = (language: string) =>
  guide
    .split(`\`\`\`${language}\n`)
    .slice(1)
    .map((text) => text.split('```')[0] ?? '');

const [nodeReceiver = '', nodeForwarder = ''] = samplesIn('js');
const [pythonReceiver = ''] = samplesIn('python');
const [phpReceiver = ''] = samplesIn('php');

/** How to run a sample, kept to loopback, and how to learn whether the machine can. */
interface Sample {
  command: string;
  args: (port: number) => string[];
  needs: string[];
}

const inNode = (text: string): Sample => ({
  command: process.execPath,
  args: () => [
    '--input-type=module',
    '--eval',
    text.replace('.listen(process.env.PORT ?? 8080)', ".listen(process.env.PORT, '127.0.0.1')"),
  ],
  needs: ['--version'],
});

const receivers: [string, Sample][] = [
  ['Node', inNode(nodeReceiver)],
  [
    'Python',
    {
      command: 'python3',
      args: () => ['-c', pythonReceiver.replace('(("", ', '(("127.0.0.1", ')],
      needs: ['--version'],
    },
  ],
  ['PHP', { command: 'php', args: (port) => ['-S', `127.0.0.1:${port}`, fileWith(phpReceiver)], needs: ['--version'] }],
];

const isMissing = ({ command, needs }: Sample) => spawnSync(command, needs).status !== 0;

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'sample-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

function fileWith(text: string): string {
  const file = join(directory(), 'sample.php');
  writeFileSync(file, text);
  return file;
}

async function startSample({ command, args }: Sample, environment: Record<string, string> = {}) {
  const secret = createSecret();
  const port = await freePort();
  const env = { ...process.env, TMPDIR: directory(), WEBHOOK_SECRET: secret, PORT: String(port), ...environment };
  const sample = spawn(command, args(port), { env });
  onTestFinished(() => end(sample));
  let output = '';
  for (const stream of [sample.stdout, sample.stderr]) stream.on('data', (data) => (output += data));
  await expect.poll(() => isOpen(port), soon).toBe(true);

  const post = async (id: string, body: string, signedWith = secret) => {
    const timestamp = Math.floor(Date.now() / 1000);
    // A connection of its own: a sample closes idle ones at any time.
    const headers = { ...signatureHeaders({ id, timestamp, body, secrets: [signedWith] }), connection: 'close' };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  };
  return { port, post, secret, output: () => output };
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

describe.each(receivers)('the sample receiver in %s', (_, sample) => {
  it.skipIf(isMissing(sample))('accepts each genuine notification once, and handles interrupted requests', async () => {
    const { port, post, output } = await startSample(sample);
    expect(await post('id-1', '{"text":"first"}', createSecret())).toBe(401);
    await breakOff(port);
    expect([await post('id-1', '{"text":"first"}'), await post('id-1', '{"text":"first"}')]).toEqual([200, 200]);
    await breakOff(port);
    expect(await post('id-2', '{"text":"second"}')).toBe(200);
    await expect.poll(output, soon).toMatch(/second/);
    expect(output().match(/first/g)).toHaveLength(1);
  });
});

it('the sample receiver in Node fits on one page', () => {
  expect(nodeReceiver.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
});

it('the sample forwarder passes a notification on as it is, and every success as 200', async () => {
  const target = await startReceiver();
  onTestFinished(target.close);
  const { port, post, secret } = await startSample(inNode(nodeForwarder), { FORWARD_TO: `${target.url}/hook` });
  await breakOff(port);
  const body = `{"text": "ção \\u00e9 ${'x'.repeat(1_100_000)}"}`;
  for (const status of [200, 202, 204, 302, 304, 307, 404, 500]) {
    target.script('/hook', [{ status, headers: { location: '/elsewhere' } }]);
    expect([status, await post(`id-${status}`, body)]).toEqual([status, status < 300 ? 200 : 502]);
    const [last] = target.received('/hook').slice(-1);
    expect(last && verified(last, secret)).toEqual(JSON.parse(body));
  }
  expect(target.received('/elsewhere')).toEqual([]);
});
