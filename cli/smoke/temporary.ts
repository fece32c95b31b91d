import { randomInt } from 'node:crypto';
import { tokenStore } from '#shared/adapters/dynamodb/accounts/tokens.ts';
import { userStore } from '#shared/adapters/dynamodb/accounts/users.ts';
import { workspaceStore } from '#shared/adapters/dynamodb/accounts/workspaces.ts';
import { flowJsonStore } from '#shared/adapters/dynamodb/flows/flow-json.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { eraseDeliveries, eraseUploads } from '#shared/adapters/stack/erase.ts';
import { newId } from '#shared/base/ids.ts';
import { hourMs } from '#shared/base/time/duration.ts';
import { createToken, hashToken } from '#shared/domain/accounts/token.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Place } from './place.ts';
import type { Removal } from './removal.ts';

/** What a trial made for itself. */
export interface Temporary {
  token: string;
  workspace: Workspace;
  number: PhoneNumber;
  /** A draft that the platform does not know. */
  flow: string;
}

const prefix = 'Smoke test, temporary: ';

/** The name of the user and the workspace that one trial makes. */
export const trialName = (): string => prefix + newId();

/** Ids of the platform do not begin with a zero, so these belong to nobody. */
const unassignedId = () =>
  `0${randomInt(10 ** 12)
    .toString()
    .padStart(14, '0')}`;

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
        children: [
          { type: 'TextBody', text: 'Smoke test' },
          { type: 'Footer', label: 'Done', 'on-click-action': { name: 'complete', payload: {} } },
        ],
      },
    },
  ],
});

interface Named {
  name: string;
  created_at: number;
}

const storesOf = ({ table, blobs }: Place) => ({
  users: userStore(table),
  tokens: tokenStore(table),
  workspaces: workspaceStore(table),
  numbers: numberStore(table),
  flows: flowStore(table),
  flowJson: flowJsonStore(table, blobs),
});

/** Makes a user with a token, a workspace with a number, and a Flow, in the table only: the platform is not asked. */
export async function createTemporary(name: string, place: Place): Promise<Temporary> {
  const { users, tokens, workspaces, numbers, flows, flowJson: texts } = storesOf(place);
  const now = Date.now();
  const user = { id: newId(), name, created_at: now };
  const workspace: Workspace = { id: newId(), name, waba_id: unassignedId(), created_at: now };
  const number: PhoneNumber = {
    id: newId(),
    workspace: workspace.id,
    phone_number_id: unassignedId(),
    display_phone_number: 'Smoke test',
    active: true,
    calling_enabled: false,
    created_at: now,
  };
  const token = createToken();
  await users.create(user);
  await tokens.create({
    hash: hashToken(token),
    user: user.id,
    label: name,
    created_at: now,
    expires_at: now + hourMs,
  });
  await workspaces.putMember({ workspace: workspace.id, user: user.id, role: 'owner' });
  await workspaces.create(workspace);
  await numbers.create(number);
  const id = newId();
  const draft = {
    id,
    workspace: workspace.id,
    name,
    categories: [8 as const],
    endpoint_url: null,
    endpoint_encrypted: false,
    status: 'DRAFT' as const,
    version: null,
    json: await texts.keep(id, flowJson),
    preview_generation: 0,
    created_at: now,
    updated_at: now,
  };
  const leased = { ...draft, lease: { holder: id, until: now + hourMs } };
  await flows.insert(leased);
  await flows.save(leased, { wa_id: unassignedId() }, now);
  return { token, workspace, number, flow: id };
}

/** How to remove what a trial made. Its workspace goes last, so that a later trial finds what could not be removed. */
export const removalsOf = (trial: string, place: Place): Removal[] => removals(({ name }) => name === trial, place);

/** Removes what trials left that were killed long ago. */
export async function removeLeftovers(beganBefore: number, place: Place): Promise<void> {
  const isLeft = ({ name, created_at }: Named) => name.startsWith(prefix) && created_at < beganBefore;
  for (const { remove } of removals(isLeft, place)) await remove();
}

function removals(isOurs: (record: Named) => boolean, place: Place): Removal[] {
  return [
    { what: 'the workspace, with its number and its Flow', remove: () => removeWorkspaces(isOurs, place) },
    { what: 'the user, with its token', remove: () => removeUsers(isOurs, place) },
  ];
}

async function removeWorkspaces(isOurs: (record: Named) => boolean, place: Place): Promise<void> {
  const { workspaces, numbers, flows, flowJson: texts } = storesOf(place);
  for (const workspace of (await workspaces.list()).filter(isOurs)) {
    for (const number of await numbers.listByWorkspace(workspace.id)) {
      await numbers.set(number.id, { active: false });
      await eraseDeliveries(number.id, place.table, place.blobs);
      await eraseUploads(number.id, place.table, place.blobs);
      await numbers.delete(number);
    }
    for await (const flow of flows.list({ workspace: workspace.id })) {
      await texts.discard(flow.json);
      await flows.remove(await flows.claim(flow, newId(), undefined, Date.now()));
    }
    await workspaces.delete(workspace.id);
  }
}

async function removeUsers(isOurs: (record: Named) => boolean, place: Place): Promise<void> {
  const { users, tokens } = storesOf(place);
  for (const user of (await users.list()).filter(isOurs)) {
    for (const { hash } of await tokens.listByUser(user.id)) await tokens.revoke(hash);
    await users.delete(user.id);
  }
}
