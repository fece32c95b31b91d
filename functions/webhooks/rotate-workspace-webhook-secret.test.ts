import { afterAll, beforeAll, expect, it } from 'vitest';
import { validSecrets } from '#shared/webhooks/signing-secrets.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, now, startApiWorld } from '#support/worlds/api-world.ts';
import { rotateWorkspaceWebhookSecret as contract } from './contracts.ts';
import { makeHandler } from './rotate-webhook-secret.ts';

captureLog();

let world: ApiWorld;

beforeAll(async () => {
  world = await startApiWorld('owner');
});
afterAll(() => world.close());

const rotate = (workspace: { id: string }) => world.call({ contract, makeHandler }, workspace);

it('a workspace gets another secret, and the previous one signs for a day', async () => {
  const workspace = await world.newWorkspace();
  const before = await world.secrets.get(workspace.id);
  const { json } = await rotate(workspace);
  expect(json).toEqual({
    secret: expect.stringMatching(/^whsec_/),
    previous_valid_until: '2026-02-01T08:15:30.123000Z',
  });
  const secrets = await world.secrets.get(workspace.id);
  expect(secrets && validSecrets(secrets, now)).toEqual([json.secret, before?.current]);
  const settings = await world.targets.read(workspace.id);
  expect(settings?.targets.webhook).toMatchObject({ version: 1, secrets_version: 1 });
});

it('a rotation finds no workspace if that is deleted meanwhile', async () => {
  const secrets = { ...world.secrets, get: async () => undefined };
  const withoutSecrets = () => makeHandler({ ...world.dependencies, secrets });
  const response = await world.call({ contract, makeHandler: withoutSecrets }, await world.newWorkspace());
  expect(response).toMatchObject({ status: 404, headers: { 'x-error-code': 'workspace_not_found' } });
});
