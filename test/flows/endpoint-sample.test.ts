import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '#local/aws/base/http/free-port.ts';
import { decryptFile } from '#shared/flow-endpoint/picked-file.ts';
import { createSecret, signatureHeaders } from '#shared/webhooks/webhook-signature.ts';
import { soon } from '../../support/worlds/delivery-world.ts';

const guide = (name: string) => readFileSync(join(import.meta.dirname, `../../docs/${name}.md`), 'utf8');
const sampleIn = (page: string) => page.split('```js\n')[1]?.split('```')[0] ?? '';

/** The part of the receiver that the endpoint shares: the key, and the check of signatures. */
const receiver = sampleIn(guide('receiving-webhooks'));
const shared = [/^import .* 'node:crypto';$/m, /^const key = .*$/m, /^function isGenuine[\s\S]*?^}$/m]
  .map((part) => part.exec(receiver)?.[0])
  .join('\n');

/** The sample, which listens on every address, limited to loopback. */
const sample = `${shared}\n${sampleIn(guide('flow-endpoint'))}`.replace(
  '.listen(process.env.PORT ?? 8080)',
  ".listen(process.env.PORT, '127.0.0.1')",
);

it('the sample endpoint responds to genuine requests as its guide says', async () => {
  const secret = createSecret();
  const port = await freePort();
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
  const endpoint = spawn(process.execPath, ['--input-type=module', '--eval', sample], { env });
  onTestFinished(async () => {
    endpoint.kill();
    if (endpoint.exitCode === null && endpoint.signalCode === null) await once(endpoint, 'exit');
  });

  const ask = async (request: object, secrets = [createSecret(), secret]) => {
    const body = JSON.stringify(request);
    const headers = { ...signatureHeaders({ id: 'x', timestamp: Math.floor(Date.now() / 1000), body, secrets }) };
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    return response.status === 200 ? response.json() : response.status;
  };
  const start = { screen: 'DATE', data: { slots: ['09:00', '10:00'] } };
  await expect.poll(() => ask({ action: 'ping' }).catch(() => 'down'), soon).toEqual({ data: { status: 'active' } });
  expect(await ask({ action: 'ping' }, [createSecret()])).toBe(401);
  expect(await ask({ action: 'INIT' })).toEqual(start);
  expect(await ask({ action: 'BACK', screen: 'DONE' })).toEqual(start);
  expect(await ask({ action: 'data_exchange', data: { error: 'x', error_message: 'y' } })).toEqual({
    data: { acknowledged: true },
  });
  expect(await ask({ action: 'data_exchange', screen: 'DATE', data: { slot: '09:00' }, flow_token: 't' })).toEqual({
    screen: 'SUCCESS',
    data: { extension_message_response: { params: { flow_token: 't', slot: '09:00' } } },
  });
});

it('the sample decrypts the file of the guide, and none that was altered', async () => {
  const page = guide('flow-endpoint');
  const [, , code = ''] = page.split('```js\n').map((part) => part.split('```')[0]);
  const { decrypt } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const { file, encryption_metadata: keys } = JSON.parse(page.split('```json\n').at(-1)?.split('```')[0] ?? '');
  const encrypted = Buffer.from(file, 'base64');
  expect(decrypt(encrypted, keys).toString()).toBe('A picture from a Flow\n');
  expect(decryptFile(encrypted, keys)?.toString()).toBe('A picture from a Flow\n');
  expect(() => decrypt(encrypted.subarray(1), keys)).toThrow('altered');
  for (const name of ['hmac_key', 'iv', 'encrypted_hash', 'plaintext_hash']) {
    expect(() =>
      decrypt(encrypted, { ...keys, [name]: Buffer.alloc(name === 'iv' ? 16 : 32).toString('base64') }),
    ).toThrow('altered');
  }
});
