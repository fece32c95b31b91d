import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DeleteSecretCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { contract as sendMessage } from '#functions/messages/send-message/contract.ts';
import { contract as updateWebhook } from '#functions/webhooks/update-webhook/contract.ts';
import { root } from '#infra/paths.ts';
import { seededNumbers } from '#local/seed.ts';
import { secretsManager } from '#shared/adapters/secrets-manager/client.ts';
import { secretBeside } from '#shared/adapters/secrets-manager/secret-beside.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { type FakeAws, startFakeAws } from '#support/fakes/fake-aws.ts';
import { type FlowService, startFlowService } from '#support/flows/flow-service.ts';
import { deliveriesOf, soonInLog } from '#support/worlds/delivery-world.ts';
import { stageOf } from '#support/worlds/fake-stage.ts';

const page = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
const [one, withoutCalling] = seededNumbers as [PhoneNumber, PhoneNumber];
const contact = { wa_id: '5511987654321' };

const accesses: { accessKeyId: string; action: string }[] = [];
let service: FlowService;
let aws: FakeAws;
beforeAll(async () => {
  aws = await startFakeAws();
  service = await startFlowService({ onAwsCall: (access) => void accesses.push(access) });
  // What commands find: a webhook, a large notification in the bucket, and a response that is kept for a key.
  const params = { number: one.id };
  await service.api.succeed(updateWebhook, { params, body: { webhook: 'http://127.0.0.1:9/' } });
  await service.api.succeed(sendMessage, {
    params,
    headers: { 'idempotency-key': 'permissions' },
    body: { to: contact.wa_id, type: 'text', text: { body: 'Hello' } },
  });
  await service.simulate('events', 'POST', {
    events: [{ type: 'text', contact, text: { body: 'x'.repeat(250_000) } }],
  });
  const isKept = async () => (await deliveriesOf(service.world.table, one)).some(({ payload }) => 'blob' in payload);
  await vi.waitFor(async () => expect(await isKept()).toBe(true), soonInLog);
});
afterAll(async () => {
  await service.close();
  await aws.close();
});

/** The actions of AWS that a command asks for, and what it printed. */
async function run(...words: string[]) {
  const { world } = service;
  const { NODE_COMPILE_CACHE, PATH } = process.env;
  const env = { NODE_COMPILE_CACHE, PATH, ...stageOf(world, aws, { 'messaging-dev-AlarmsA': 'OK' }) };
  accesses.length = 0;
  aws.calls.length = 0;
  const child = spawn(process.execPath, [join(root, 'messaging.js'), ...words, '--stage', 'dev'], { env });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  // The world starts functions with the administrator's credentials, too.
  const own = accesses
    .filter(
      ({ accessKeyId, action }) => accessKeyId === world.administrator.accessKeyId && !action.startsWith('lambda:'),
    )
    .map(({ action }) => action);
  const elsewhere = aws.calls.map((name) => name.replace('monitoring:', 'cloudwatch:'));
  return { code: child.exitCode, output: stdout + stderr, actions: [...new Set([...own, ...elsewhere])].sort() };
}

/** The actions in a row of the table of permissions, where an action without a service is of the service before it. */
function documented(who: string): string[] {
  const row = page.split('\n').find((line) => line.startsWith(`| ${who} |`)) ?? '';
  let service = '';
  return [...row.matchAll(/`(?:([a-z0-9]+):)?([A-Z]\w+)`/g)]
    .map(([, named, action]) => {
      service = named ?? service;
      return `${service}:${action}`;
    })
    .sort();
}

it.each<[string, string[]]>([
  ['`./messaging smoke`', ['smoke']],
  ['admin command line, for `doctor`', ['doctor']],
  ['admin command line, for `connect`', ['connect', withoutCalling.id, '--calling', 'on']],
  ['admin command line, for `contact erase`', ['contact', 'erase', contact.wa_id, '--yes']],
])('the table of permissions has exactly what it takes: %s', async (who, words) => {
  const { output, actions } = await run(...words);
  expect(output).not.toContain('Unexpected failure');
  expect(documented(who)).toEqual(actions);
});

it('the table of permissions has exactly what it takes besides: admin command line, for `doctor --fix`', async () => {
  // A Flow whose endpoint gets plain JSON, and a workspace whose key is gone on both sides.
  const { id: flow } = await service.draft(one.workspace, {
    endpoint_url: 'https://example.com/flow',
    endpoint_encrypted: false,
  });
  await service.moveStored(one.workspace, flow, 'PUBLISHED');
  const { administrator, description } = service.world;
  const { upstream_secret, secrets_manager, region } = description.aws;
  const client = secretsManager({ endpoint: secrets_manager, region, credentials: administrator });
  await client.send(
    new DeleteSecretCommand({
      SecretId: secretBeside(upstream_secret, `flow-keys/${one.workspace}`),
      ForceDeleteWithoutRecovery: true,
    }),
  );
  client.destroy();
  await service.simulate('setup/faults', 'PUT', { faults: ['key_missing'] });

  const doctor = await run('doctor');
  const fixing = await run('doctor', '--fix');
  expect(fixing.output).toContain('Done: register the Flow key of the workspace');
  expect(fixing.actions.filter((action) => !doctor.actions.includes(action))).toEqual(
    documented('admin command line, for `doctor --fix`'),
  );
});
