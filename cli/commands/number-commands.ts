import { Argument, type Command } from '@commander-js/extra-typings';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { newId } from '#shared/base/ids.ts';
import { type PhoneNumber, targetsOf } from '#shared/webhooks/subscriber.ts';
import type { Actions } from '../command-actions.ts';
import { findNumber, findReferredNumber, findWorkspace } from '../lookup.ts';
import type { Service } from '../service.ts';
import { describeFailure } from '../terminal/describe-failure.ts';
import { Rejection } from '../terminal/errors.ts';
import { withRepair } from '../terminal/hints.ts';
import { line, numberReference, platformId, uuid } from '../terminal/parameters.ts';
import type { Result, Row } from '../terminal/render.ts';
import { countWebhooks, discardHeld } from '../webhooks.ts';

export function addNumberCommands(program: Command, { onService, removing }: Actions): void {
  const group = program.command('number').description('Manages phone numbers.');

  group
    .command('create')
    .description('Creates a phone number in a workspace.')
    .requiredOption('--workspace <workspace>', 'id of its workspace', uuid)
    .requiredOption('--phone-number-id <digits>', "the platform's id of the number, not the number itself", platformId)
    .requiredOption('--display-phone-number <text>', 'the number as people read it: "+55 11 4000-0001"', line(32))
    .option('--no-calling', 'turn calls off')
    .option('--inactive', 'do not let the API use it yet')
    .option('--unchecked', 'do not ask the platform whether it knows the number')
    .action(
      onService(async (service, { workspace, phoneNumberId, displayPhoneNumber, ...flags }) => {
        const owner = await findWorkspace(service, workspace);
        const note = flags.unchecked ? undefined : await rejectUnknown(service, owner, phoneNumberId);
        const number: PhoneNumber = {
          id: newId(),
          workspace,
          phone_number_id: phoneNumberId,
          display_phone_number: displayPhoneNumber,
          active: !flags.inactive,
          calling_enabled: flags.calling,
          created_at: service.now(),
        };
        const isNew = await service.numbers.create(number);
        if (!isNew) throw new Rejection(`Phone number id ${phoneNumberId} already belongs to another number.`);
        return {
          value: { ...numberView(number), workspace },
          ...(note !== undefined && { note: `${note}\nTo check it later: ${service.hint`number check ${number.id}`}` }),
        };
      }),
    );

  group
    .command('check')
    .description('Asks the platform whether it knows a number and lets the service use it. If not, the exit code is 1.')
    .argument('<number>', "id of the number, or the platform's id of a number that exists here", numberReference)
    .action(
      onService(async (service, reference) => {
        const number = await findReferredNumber(service, reference);
        const owner = await findWorkspace(service, number.workspace);
        const isKnown = await isKnownToPlatform(service, owner, number.phone_number_id);
        return {
          value: { ...numberView(number), workspace: number.workspace, known_to_platform: isKnown },
          ...(!isKnown && { note: unknownToPlatform(number.phone_number_id), hasFindings: true }),
        };
      }),
    );

  group
    .command('list')
    .description('Lists the numbers of a workspace.')
    .requiredOption('--workspace <workspace>', 'id of the workspace', uuid)
    .action(
      onService(async (service, { workspace }) => {
        await findWorkspace(service, workspace);
        return { value: (await service.numbers.listByWorkspace(workspace)).map(numberView) };
      }),
    );

  group
    .command('activate')
    .description('Lets the API use a number.')
    .argument('<number>', 'id of the number', uuid)
    .action(onService((service, number) => change(service, number, { active: true })));

  removing(
    group
      .command('deactivate')
      .description('Hides a number from the API, and discards the notifications held for its webhooks.')
      .argument('<number>', 'id of the number', uuid),
    async (service, id) => {
      const number = await findNumber(service, id);
      return {
        warning: `This hides number ${id} (${number.display_phone_number}) from the API and discards its held notifications.`,
        removes: { held_notifications: await service.countHeld(id) },
        async carryOut() {
          const result = await change(service, id, { active: false });
          await discardAllHeld(service, id);
          return result;
        },
      };
    },
  );

  group
    .command('calling')
    .description('Turns calls for a number on or off.')
    .argument('<number>', 'id of the number', uuid)
    .addArgument(new Argument('<state>', 'whether calls are on').choices(['on', 'off']))
    .action(onService((service, number, state) => change(service, number, { calling_enabled: state === 'on' })));

  group
    .command('rename')
    .description('Changes the number that people see.')
    .argument('<number>', 'id of the number', uuid)
    .requiredOption('--display-phone-number <text>', 'the number as people read it', line(32))
    .action(
      onService((service, number, { displayPhoneNumber }) =>
        change(service, number, { display_phone_number: displayPhoneNumber }),
      ),
    );

  removing(
    group
      .command('delete')
      .description('Deletes a number, discards the notifications held for its webhooks, and frees its phone number id.')
      .argument('<number>', 'id of the number', uuid),
    async (service, id) => {
      const number = await findNumber(service, id);
      return {
        warning: `This deletes number ${id} (${number.display_phone_number}) with its webhooks, secret and log.`,
        removes: { webhooks: await countWebhooks(service, id), held_notifications: await service.countHeld(id) },
        carryOut: () => deleteNumber(service, number),
      };
    },
  );
}

async function deleteNumber(service: Service, number: PhoneNumber): Promise<Result> {
  // Deactivate first, so that nothing more is delivered or held. Delete the number last, so that the command can
  // be repeated after a failure.
  await service.numbers.set(number.id, { active: false });
  const discarded = await discardAllHeld(service, number.id);
  await service.numbers.delete(number);
  return {
    value: { ...numberView(number), workspace: number.workspace, active: false },
    note: `Deleted. ${discarded} held notifications were discarded; others are when their retry is due.`,
  };
}

async function discardAllHeld(service: Service, number: string): Promise<number> {
  const settings = await service.targets.read(number);
  return discardHeld(service, number, settings ? targetsOf(settings) : []);
}

type NumberChange = Parameters<Service['numbers']['set']>[1];

async function change(service: Service, id: string, settings: NumberChange): Promise<Result> {
  await service.numbers.set(id, settings);
  const number = await findNumber(service, id);
  return { value: { ...numberView(number), workspace: number.workspace } };
}

async function isKnownToPlatform({ upstream }: Service, workspace: Workspace, phoneNumberId: string): Promise<boolean> {
  return (await upstream(workspace).encryption.registeredKey(phoneNumberId)) !== 'unknown-number';
}

const unknownToPlatform = (phoneNumberId: string) =>
  `The platform does not know phone number id ${phoneNumberId} (not the number itself), or does not let this service use it.`;

/** Rejects a number that the platform does not know. Returns a note if the platform could not be asked. */
async function rejectUnknown(service: Service, owner: Workspace, phoneNumberId: string): Promise<string | undefined> {
  let isKnown: boolean;
  try {
    isKnown = await isKnownToPlatform(service, owner, phoneNumberId);
  } catch (error) {
    return `The number could not be checked with the platform. ${describeFailure(withRepair(error, service.hint))}`;
  }
  if (!isKnown) throw new Rejection(`${unknownToPlatform(phoneNumberId)} To create it anyway, add --unchecked.`);
  return undefined;
}

export const numberView = (number: PhoneNumber): Row => ({
  id: number.id,
  phone_number_id: number.phone_number_id,
  display_phone_number: number.display_phone_number,
  active: number.active,
  calling_enabled: number.calling_enabled,
});
