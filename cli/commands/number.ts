import { newId } from '../../shared/ids.ts';
import type { PhoneNumber } from '../../shared/numbers/number.ts';
import { defineCommand, flag, required } from '../command.ts';
import { Refusal } from '../failures.ts';
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
    },
    async run(service, { workspace, calling, inactive, ...ids }) {
      await findWorkspace(service, workspace);
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
      return { value: { ...numberView(number), workspace } };
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
    summary: 'Hides a number from the API, which then answers 404 for it.',
    arguments: { number: numberId },
    options: {},
    run: (service, { number }) => change(service, number, { active: false }),
  }),
  defineCommand({
    noun: 'number',
    verb: 'calling',
    summary: 'Turns calls with a number on or off.',
    arguments: { number: numberId, state: onOrOff },
    options: {},
    run: (service, { number, state }) => change(service, number, { calling_enabled: state === 'on' }),
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
