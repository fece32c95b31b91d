import type { Command } from '@commander-js/extra-typings';
import type { FlowKey } from '#shared/domain/flow-keys/flow-key.ts';
import { ensureKeys, rotateKeys } from '#shared/domain/flow-keys/key-ring.ts';
import { type Registration, readRegistration, registerKey } from '#shared/domain/flow-keys/register-key.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Actions } from '../actions.ts';
import { Rejection } from '../failures.ts';
import { example, exampleIds } from '../help.ts';
import { findNumber, findWorkspace } from '../lookup.ts';
import { uuid } from '../parameters.ts';
import type { Service } from '../service.ts';
import { keyView } from '../views.ts';

export function addKeyCommands(program: Command, { onService }: Actions): void {
  const group = program
    .command('key')
    .description('Manages Flow keys. Phones encrypt the data of a Flow for the key of its workspace.');

  group
    .command('create')
    .description("Creates the Flow key of a workspace. It lets the service decrypt the data of the workspace's Flows.")
    .argument('<workspace>', 'id of the workspace', uuid)
    .addHelpText('after', example(`key create ${exampleIds.workspace}`))
    .action(
      onService(async (service, workspace) => {
        await findWorkspace(service, workspace);
        const { flowKeys } = service.upstream();
        if ((await flowKeys.read(workspace)).keys.length > 0) {
          throw new Rejection(`Workspace ${workspace} already has a key; "key rotate ${workspace}" makes a new one.`);
        }
        const keys = await ensureKeys(workspace, { flowKeys, now: service.now });
        return {
          value: { workspace, keys: keys.map(keyView) },
          note: 'Publishing a Flow registers the key where it is missing; "key register NUMBER" registers it now.',
        };
      }),
    );

  group
    .command('register')
    .description("Registers the workspace's key for a number, and replaces any other key that the number has.")
    .argument('<number>', 'id of the number', uuid)
    .addHelpText('after', example(`key register ${exampleIds.number}`))
    .action(
      onService(async (service, id) => {
        const number = await findNumber(service, id);
        const { flowKeys, encryption } = service.upstream();
        const { keys } = await flowKeys.read(number.workspace);
        if (keys.length === 0) {
          throw new Rejection(`The workspace has no key yet. To create one: key create ${number.workspace}`);
        }
        await registerKey(number, keys, encryption);
        return { value: registrationView({ number, registration: await readRegistration(number, keys, encryption) }) };
      }),
    );

  group
    .command('rotate')
    .description(
      'Creates a new key and registers it wherever the previous key is registered. The previous key keeps working ' +
        'for phones that still have it, until the next rotation.',
    )
    .argument('<workspace>', 'id of the workspace', uuid)
    .addHelpText('after', example(`key rotate ${exampleIds.workspace}`))
    .action(
      onService(async (service, workspace) => {
        await findWorkspace(service, workspace);
        const { flowKeys, encryption } = service.upstream();
        const before = await registrations(service, workspace, (await flowKeys.read(workspace)).keys);
        const late = before.find(({ registration }) => registration === 'previous');
        if (late) {
          throw new Rejection(
            `Number ${late.number.id} still has the previous key, which this rotation would delete. ` +
              `Register the current key first: key register ${late.number.id}`,
          );
        }
        const keys = await rotateKeys(workspace, { flowKeys, now: service.now });
        const ours = before.filter(({ registration }) => registration === 'current' || registration === 'mismatch');
        for (const { number } of ours) await registerKey(number, keys, encryption);
        return { value: await ringView(service, workspace, keys) };
      }),
    );

  group
    .command('list')
    .description('Lists the keys of a workspace by fingerprint, and which of them the platform has for each number.')
    .argument('<workspace>', 'id of the workspace', uuid)
    .addHelpText('after', example(`key list ${exampleIds.workspace}`))
    .action(
      onService(async (service, workspace) => {
        await findWorkspace(service, workspace);
        const { keys } = await service.upstream().flowKeys.read(workspace);
        return { value: await ringView(service, workspace, keys) };
      }),
    );
}

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

async function ringView(service: Service, workspace: string, keys: readonly FlowKey[]) {
  const numbers = (await registrations(service, workspace, keys)).map(registrationView);
  return { workspace, keys: keys.map(keyView), numbers };
}
