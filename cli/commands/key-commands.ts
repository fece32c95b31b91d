import type { Command } from '@commander-js/extra-typings';
import { timestamp } from '#shared/base/time.ts';
import type { FlowKey } from '#shared/flow-endpoint/flow-key-store.ts';
import {
  ensureKeys,
  fingerprint,
  keysKept,
  publicKeyOf,
  type Registration,
  readRegistration,
  registerKey,
  rotateKeys,
} from '#shared/flow-endpoint/flow-keys.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { Actions } from '../command-actions.ts';
import { findNumber, findWorkspace } from '../lookup.ts';
import type { Service, Upstream } from '../service.ts';
import { Rejection } from '../terminal/errors.ts';
import { uuid } from '../terminal/parameters.ts';
import type { Row } from '../terminal/render.ts';

export function addKeyCommands(program: Command, { onService, removing }: Actions): void {
  const group = program
    .command('key')
    .description('Manages Flow keys. Phones encrypt the data of a Flow for the key of its workspace.');

  group
    .command('create')
    .description("Creates the Flow key of a workspace. It lets the service decrypt the data of the workspace's Flows.")
    .argument('<workspace>', 'id of the workspace', uuid)
    .action(
      onService(async (service, workspace) => {
        const { flowKeys } = service.upstream(await findWorkspace(service, workspace));
        if ((await flowKeys.read(workspace)).keys.length > 0) {
          const rotate = service.hint`key rotate ${workspace}`;
          throw new Rejection(`Workspace ${workspace} already has a key. To make a new one: ${rotate}`);
        }
        const keys = await ensureKeys(workspace, { flowKeys, now: service.now });
        const note = 'Publishing a Flow registers the key where it is missing. To register it now:';
        return {
          value: { workspace, keys: keys.map(keyView) },
          note: `${note} ${service.hint`key register NUMBER`}`,
        };
      }),
    );

  removing(
    group
      .command('register')
      .description("Registers the workspace's key for a number in place of any other. Creates it if there is none.")
      .argument('<number>', 'id of the number', uuid),
    async (service, id) => {
      const number = await findNumber(service, id);
      const { flowKeys, encryption } = service.upstream(await findWorkspace(service, number.workspace));
      const { keys } = await flowKeys.read(number.workspace);
      const isForeign = (await readRegistration(number, keys, encryption)) === 'foreign';
      return {
        effect: `This registers the ${keys.length > 0 ? '' : 'new '}key of workspace ${number.workspace} for number ${number.id}.`,
        ...(isForeign && {
          warning: `This replaces the key of another service for number ${number.id} (${number.display_phone_number}).`,
        }),
        removes: { foreign_keys: isForeign ? 1 : 0 },
        async carryOut() {
          const ours = await ensureKeys(number.workspace, { flowKeys, now: service.now });
          await registerKey(number, ours, encryption);
          const registration = await readRegistration(number, ours, encryption);
          return { value: registrationView({ number, registration }) };
        },
      };
    },
  );

  removing(
    group
      .command('rotate')
      .description('Creates a key, and registers it in place of the previous one, which works until the next rotation.')
      .argument('<workspace>', 'id of the workspace', uuid),
    async (service, workspace) => {
      const upstream = service.upstream(await findWorkspace(service, workspace));
      const { flowKeys, encryption } = upstream;
      const current = (await flowKeys.read(workspace)).keys;
      const before = await registrations(service, upstream, workspace, current);
      const late = before.find(({ registration }) => registration === 'previous');
      if (late) {
        const what = `Number ${late.number.id} still has the previous key, which this rotation would delete`;
        throw new Rejection(`${what}. Register the current key first: ${service.hint`key register ${late.number.id}`}`);
      }
      const removed = Math.max(current.length + 1 - keysKept, 0);
      const ours = before.filter(({ registration }) => registration === 'current' || registration === 'mismatch');
      const them = ours.length > 0 ? `, and registers it for ${ours.map(({ number }) => number.id).join(', ')}` : '';
      return {
        effect: `This creates a new key for workspace ${workspace}${them}.`,
        ...(removed > 0 && {
          warning: `This deletes the previous key of workspace ${workspace}, which some phones may still have.`,
        }),
        removes: { previous_keys: removed },
        async carryOut() {
          const keys = await rotateKeys(workspace, { flowKeys, now: service.now });
          for (const { number } of ours) await registerKey(number, keys, encryption);
          return { value: await ringView(service, upstream, workspace, keys) };
        },
      };
    },
  );

  group
    .command('list')
    .description('Lists the keys of a workspace by fingerprint, and which of them the platform has for each number.')
    .argument('<workspace>', 'id of the workspace', uuid)
    .action(
      onService(async (service, workspace) => {
        const upstream = service.upstream(await findWorkspace(service, workspace));
        const { keys } = await upstream.flowKeys.read(workspace);
        return { value: await ringView(service, upstream, workspace, keys) };
      }),
    );
}

interface NumberRegistration {
  number: PhoneNumber;
  registration: Registration;
}

async function registrations(
  { numbers }: Service,
  { encryption }: Upstream,
  workspace: string,
  keys: readonly FlowKey[],
): Promise<NumberRegistration[]> {
  const registered = await numbers.listByWorkspace(workspace);
  return Promise.all(
    registered.map(async (number) => ({ number, registration: await readRegistration(number, keys, encryption) })),
  );
}

const registrationView = ({ number, registration }: NumberRegistration) => ({
  id: number.id,
  display_phone_number: number.display_phone_number,
  active: number.active,
  registered_key: registration === 'unknown-number' ? 'unknown to the platform' : registration,
});

async function ringView(service: Service, upstream: Upstream, workspace: string, keys: readonly FlowKey[]) {
  const numbers = (await registrations(service, upstream, workspace, keys)).map(registrationView);
  return { workspace, keys: keys.map(keyView), numbers };
}

/** Leaves out the private key. */
const keyView = (key: FlowKey, position: number): Row => ({
  fingerprint: fingerprint(publicKeyOf(key)) ?? null,
  use: position === 0 ? 'current' : 'previous',
  created_at: timestamp(key.created_at),
});
