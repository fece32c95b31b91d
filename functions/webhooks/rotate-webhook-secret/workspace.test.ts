import { afterAll, beforeAll, expect, it } from 'vitest';
import { validSecrets } from '#shared/domain/accounts/subscriber.ts';
import { captureLog } from '#test/support/captured-log.ts';
import { now, startWebhookWorld, type WebhookWorld } from '#test/support/webhook-world.ts';
import { workspaceContract as contract } from './contract.ts';
import { makeHandler } from './handler.ts';

captureLog();

let world: WebhookWorld;

beforeAll(async () => {
  world = await startWebhookWorld('owner');
});
afterAll(() => world.close());

const rotate = (workspace: { id: string }) => world.call({ contract, makeHandler }, workspace);

it('a workspace gets a secret, and the previous one signs for a day', async () => {
  const workspace = await world.newWorkspace();
  const first = await rotate(workspace);
  expect(first.json).toEqual({ secret: expect.stringMatching(/^whsec_/), previous_valid_until: null });
  const second = await rotate(workspace);
  expect(second.json.previous_valid_until).toBe('2026-02-01T08:15:30.123000Z');
  const secrets = await world.targets.getSecrets(workspace.id);
  expect(secrets && validSecrets(secrets, now)).toEqual([second.json.secret, first.json.secret]);
});
