import { randomInt } from 'node:crypto';
import { createToken, hashToken } from '#shared/accounts/token.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { newId } from '#shared/base/ids.ts';
import { hourMs } from '#shared/base/time.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { Service } from '../service.ts';

/** What a trial makes for itself. */
export interface Temporary {
  token: string;
  workspace: Workspace;
  number: PhoneNumber;
  /** A draft that the platform does not know. */
  flow: string;
}

/** The user and the workspace of every trial, so that the next one finds what a killed one has left. */
const id = '00000000-0000-7000-8000-000000000001';
const name = 'Smoke test, temporary';

/** Ids of the platform do not begin with a zero, so these belong to nobody. */
const unassignedId = () => String(randomInt(10 ** 12)).padStart(15, '0');

/** More than an item of the table takes, so that it goes to the bucket. */
export const largeText = `canary ${'0123456789'.repeat(22_000)}`;

const flowJson = JSON.stringify({
  version: '7.2',
  screens: [
    {
      id: 'SMOKE',
      title: 'Smoke test',
      terminal: true,
      data: { text: { type: 'string', __example__: largeText } },
      layout: {
        type: 'SingleColumnLayout',
        children: [{ type: 'Footer', label: 'Done', 'on-click-action': { name: 'complete', payload: {} } }],
      },
    },
  ],
});

/** Makes a user with a token, a workspace with a number, and a Flow, in the table only: the platform is not asked. */
export async function createTemporary(service: Service): Promise<Temporary> {
  const { users, tokens, workspaces, numbers, flows, now } = service;
  const at = now();
  const workspace = { id, name, waba_id: unassignedId(), created_at: at };
  const number = {
    id: newId(),
    workspace: id,
    phone_number_id: unassignedId(),
    display_phone_number: 'Smoke test',
    active: true,
    calling_enabled: false,
    created_at: at,
  };
  const token = createToken();
  await users.create({ id, name, created_at: at });
  await tokens.create({ hash: hashToken(token), user: id, label: name, created_at: at, expires_at: at + hourMs });
  await workspaces.putMember({ workspace: id, user: id, role: 'owner' });
  await workspaces.create(workspace);
  await numbers.create(number);
  const flow = newId();
  const draft = {
    id: flow,
    workspace: id,
    name,
    categories: [8 as const],
    endpoint_url: null,
    endpoint_encrypted: false,
    status: 'DRAFT' as const,
    version: null,
    preview_generation: 0,
    created_at: at,
    updated_at: at,
    json: await service.flowJson().keep(flow, flowJson),
    lease: { holder: flow, until: at + hourMs },
  };
  await flows.insert(draft);
  await flows.save(draft, { wa_id: unassignedId() }, at);
  return { token, workspace, number, flow };
}

/** Removes what a trial made, except for what expires by itself. The workspace goes after what it leads to. */
export async function removeTemporary(service: Service): Promise<void> {
  const { users, tokens, workspaces, numbers, flows } = service;
  for (const number of await numbers.listByWorkspace(id)) await numbers.delete(number);
  for await (const { json } of flows.list({ workspace: id })) await service.flowJson().discard(json);
  await workspaces.delete(id);
  for (const { hash } of await tokens.listByUser(id)) await tokens.revoke(hash);
  await users.delete(id);
}
