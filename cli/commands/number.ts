import { newId } from '#shared/base/ids.ts';
import { type PhoneNumber, targets } from '#shared/domain/accounts/number.ts';
import { defineCommand, flag, required } from '../command.ts';
import { describeFailure, Refusal } from '../failures.ts';
import { findNumber, findWorkspace } from '../lookup.ts';
import { line, numberId, onOrOff, upstreamId, workspaceId } from '../parameters.ts';
import type { Result } from '../render.ts';
import type { Service } from '../service.ts';
import { numberView } from '../views.ts';

export const numberCommands = [
  defineCommand({
    noun: 'number',
    verb: 'create',
    summary: 'Adds a phone number to a workspace.',
    arguments: {},
    options: {
      workspace: required(workspaceId, 'whose number it is'),
      'phone-number-id': required(upstreamId, "the platform's id of the number, not the number itself"),
      'display-phone-number': required(line('TEXT', 32), 'the number as people read it: "+55 11 4000-0001"'),
      calling: flag('with calling enabled'),
      inactive: flag('not active yet'),
      unchecked: flag('without asking the platform whether it knows the number'),
    },
    async run(service, { workspace, calling, inactive, unchecked, ...ids }) {
      await findWorkspace(service, workspace);
      const note = unchecked ? undefined : await refuseUnknown(service, ids['phone-number-id']);
      const number: PhoneNumber = {
        id: newId(),
        workspace,
        phone_number_id: ids['phone-number-id'],
        display_phone_number: ids['display-phone-number'],
        active: !inactive,
        calling_enabled: calling,
        created_at: service.now(),
      };
      const isNew = await service.numbers.create(number);
      if (!isNew) throw new Refusal(`Phone number id ${number.phone_number_id} belongs to a number already.`);
      return { value: { ...numberView(number), workspace }, ...(note !== undefined && { note }) };
    },
  }),
  defineCommand({
    noun: 'number',
    verb: 'check',
    summary: 'Asks the platform whether it knows a number and lets the service use it.',
    arguments: { number: numberId },
    options: {},
    async run(service, { number: id }) {
      const number = await findNumber(service, id);
      const isKnown = await isKnownToPlatform(service, number.phone_number_id);
      return {
        value: { ...numberView(number), workspace: number.workspace, known_to_platform: isKnown },
        ...(!isKnown && { note: unknownToPlatform(number.phone_number_id), hasFindings: true }),
      };
    },
  }),
  defineCommand({
    noun: 'number',
    verb: 'list',
    summary: 'Lists the numbers of a workspace.',
    arguments: {},
    options: { workspace: required(workspaceId, 'whose numbers') },
    async run(service, { workspace }) {
      await findWorkspace(service, workspace);
      return { value: (await service.numbers.listByWorkspace(workspace)).map(numberView) };
    },
  }),
  defineCommand({
    noun: 'number',
    verb: 'activate',
    summary: 'Lets the API use a number.',
    arguments: { number: numberId },
    options: {},
    run: (service, { number }) => change(service, number, { active: true }),
  }),
  defineCommand({
    noun: 'number',
    verb: 'deactivate',
    summary: 'Hides a number from the API, which then responds 404 for it, and discards what waits for its webhooks.',
    arguments: { number: numberId },
    options: {},
    async run(service, { number }) {
      const result = await change(service, number, { active: false });
      await discardHeld(service, number);
      return result;
    },
  }),
  defineCommand({
    noun: 'number',
    verb: 'calling',
    summary: 'Turns calls with a number on or off.',
    arguments: { number: numberId, state: onOrOff },
    options: {},
    run: (service, { number, state }) => change(service, number, { calling_enabled: state === 'on' }),
  }),
  defineCommand({
    noun: 'number',
    verb: 'rename',
    summary: 'Changes the number that people see.',
    arguments: { number: numberId },
    options: { 'display-phone-number': required(line('TEXT', 32), 'the number as people read it') },
    run: (service, { number, 'display-phone-number': display_phone_number }) =>
      change(service, number, { display_phone_number }),
  }),
  defineCommand({
    noun: 'number',
    verb: 'delete',
    summary: 'Deletes a number, discards what waits for its webhooks, and frees its phone number id.',
    arguments: { number: numberId },
    options: {},
    async run(service, { number: id }) {
      const number = await findNumber(service, id);
      // Nothing new is delivered or held from here on. The number goes last: the command can be repeated.
      await service.numbers.set(id, { active: false });
      const discarded = await discardHeld(service, id);
      await service.numbers.delete(number);
      return {
        value: { ...numberView(number), workspace: number.workspace, active: false },
        note: `Deleted. ${discarded} held notifications were discarded; those that wait for a retry are discarded when the retry is due.`,
      };
    },
  }),
];

async function change(
  service: Service,
  id: string,
  settings: Parameters<Service['numbers']['set']>[1],
): Promise<Result> {
  await service.numbers.set(id, settings);
  const number = await findNumber(service, id);
  return { value: { ...numberView(number), workspace: number.workspace } };
}

async function discardHeld({ deliveries, now }: Service, number: string): Promise<number> {
  let discarded = 0;
  for (const target of targets) {
    for await (const { id } of deliveries.listHeld(number, target)) {
      if ((await deliveries.discard({ number, id }, now())) === 'discarded') discarded++;
    }
  }
  return discarded;
}

async function isKnownToPlatform({ upstream }: Service, phoneNumberId: string): Promise<boolean> {
  return (await upstream().encryption.registeredKey(phoneNumberId)) !== 'unknown-number';
}

const unknownToPlatform = (phoneNumberId: string) =>
  `The WhatsApp platform does not know phone number id ${phoneNumberId}, or does not let this service use it: compare it ` +
  'with the one in the WhatsApp Manager (it is not the number itself), and check that the access token may use its account.';

/** Refuses a number that the platform does not know. Where it cannot be asked, the result is a note that says why. */
async function refuseUnknown(service: Service, phoneNumberId: string): Promise<string | undefined> {
  let isKnown: boolean;
  try {
    isKnown = await isKnownToPlatform(service, phoneNumberId);
  } catch (error) {
    return `The number could not be checked with the platform. Check it later with "number check". ${describeFailure(error)}`;
  }
  if (!isKnown) throw new Refusal(`${unknownToPlatform(phoneNumberId)} To create it anyway, add --unchecked.`);
  return undefined;
}
