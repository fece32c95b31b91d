import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import type { FlowKey } from '#shared/domain/flow-endpoint/flow-key.ts';
import { ensureKeys, rotateKeys } from '#shared/domain/flow-endpoint/key-ring.ts';
import { type Registration, readRegistration, registerKey } from '#shared/domain/flow-endpoint/register-key.ts';
import { defineCommand } from '../command.ts';
import { Refusal } from '../failures.ts';
import { findNumber, findWorkspace } from '../lookup.ts';
import { numberId, workspaceId } from '../parameters.ts';
import type { Row } from '../render.ts';
import type { Service } from '../service.ts';
import { keyView } from '../views.ts';

export const keyCommands = [
  defineCommand({
    noun: 'key',
    verb: 'create',
    summary: "Makes the key that phones encrypt for when the service decrypts a workspace's Flow data.",
    arguments: { workspace: workspaceId },
    options: {},
    async run(service, { workspace }) {
      await findWorkspace(service, workspace);
      const { flowKeys } = service.upstream();
      await flowKeys.move(workspace);
      if ((await flowKeys.read(workspace)).keys.length > 0) {
        throw new Refusal(`Workspace ${workspace} has a key; "key rotate ${workspace}" makes a new one.`);
      }
      const keys = await ensureKeys(workspace, { flowKeys, now: service.now });
      return {
        value: { workspace, keys: keys.map(keyView) },
        note: 'Publishing a Flow registers it where it is missing; "key register NUMBER" does so now.',
      };
    },
  }),
  defineCommand({
    noun: 'key',
    verb: 'register',
    summary: "Registers the workspace's key for a number, in place of any that the number has.",
    arguments: { number: numberId },
    options: {},
    async run(service, { number: id }) {
      const number = await findNumber(service, id);
      const { flowKeys, encryption } = service.upstream();
      await flowKeys.move(number.workspace);
      const { keys } = await flowKeys.read(number.workspace);
      if (keys.length === 0) throw new Refusal(`There is no key yet: key create ${number.workspace}`);
      await registerKey(number, keys, encryption);
      return { value: registrationView({ number, registration: await readRegistration(number, keys, encryption) }) };
    },
  }),
  defineCommand({
    noun: 'key',
    verb: 'rotate',
    summary: 'Makes a new key and registers it where the one before is; that one stays good for phones that have it.',
    arguments: { workspace: workspaceId },
    options: {},
    async run(service, { workspace }) {
      await findWorkspace(service, workspace);
      const { flowKeys, encryption } = service.upstream();
      await flowKeys.move(workspace);
      const before = await registrations(service, workspace, (await flowKeys.read(workspace)).keys);
      const late = before.find(({ registration }) => registration === 'previous');
      if (late) {
        throw new Refusal(
          `Number ${late.number.id} has the key before the current one, which would go: first key register ${late.number.id}`,
        );
      }
      const keys = await rotateKeys(workspace, { flowKeys, now: service.now });
      const ours = before.filter(({ registration }) => registration === 'current' || registration === 'mismatch');
      for (const { number } of ours) await registerKey(number, keys, encryption);
      return { value: await ringView(service, workspace, keys) };
    },
  }),
  defineCommand({
    noun: 'key',
    verb: 'move',
    summary: 'Moves keys that an earlier version stored elsewhere to a secret for each workspace.',
    arguments: {},
    options: {},
    async run({ workspaces, upstream }) {
      const { flowKeys } = upstream();
      const moved: Row[] = [];
      for (const { id, name } of await workspaces.list()) {
        if (await flowKeys.move(id)) moved.push({ workspace: id, name });
      }
      return { value: moved, note: `Moved the keys of ${moved.length} workspaces.` };
    },
  }),
  defineCommand({
    noun: 'key',
    verb: 'list',
    summary: 'Shows the keys of a workspace by fingerprint, and which of them the platform has for each number.',
    arguments: { workspace: workspaceId },
    options: {},
    async run(service, { workspace }) {
      await findWorkspace(service, workspace);
      const { keys } = await service.upstream().flowKeys.read(workspace);
      return { value: await ringView(service, workspace, keys) };
    },
  }),
];

interface NumberRegistration {
  number: PhoneNumber;
  registration: Registration;
}

async function registrations(
  { numbers, upstream }: Service,
  workspace: string,
  keys: readonly FlowKey[],
): Promise<NumberRegistration[]> {
  const { encryption } = upstream();
  const known = await numbers.listByWorkspace(workspace);
  return Promise.all(
    known.map(async (number) => ({ number, registration: await readRegistration(number, keys, encryption) })),
  );
}

const registrationView = ({ number, registration }: NumberRegistration) => ({
  id: number.id,
  display_phone_number: number.display_phone_number,
  active: number.active,
  registered_key: registration === 'unknown-number' ? 'unknown to the platform' : registration,
});

async function ringView(service: Service, workspace: string, keys: readonly FlowKey[]) {
  const numbers = (await registrations(service, workspace, keys)).map(registrationView);
  return { workspace, keys: keys.map(keyView), numbers };
}
