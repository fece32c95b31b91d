import { createHmac } from 'node:crypto';
import * as samples from '#local/graph/events/samples.ts';
import type { WorldDescription } from '#local/world-description.ts';
import type { Random } from './random.ts';

/** The value of `X-Hub-Signature-256` for a body. */
export const hubSignature = (body: Buffer, appSecret: string) =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

const messages = Object.values(samples.messageSamples);
const statuses = Object.entries(samples.statusSamples).map(([status, sample]) => ({ status, ...sample }));
const calls = Object.values(samples.callSamples);
const callStatuses = Object.values(samples.callStatusSamples);
const flows = Object.values(samples.flowSamples);

/** An envelope of the upstream with events of every kind that it sends. */
export function upstreamEvent(
  random: Random,
  { workspaces, numbers }: WorldDescription,
  waIds: readonly unknown[],
): object {
  const number = random.pick(numbers);
  const metadata = { display_phone_number: number.display_phone_number, phone_number_id: number.phone_number_id };
  const contacts = [{ profile: { name: 'Ana' }, wa_id: '15550100999' }];
  const people = { from: '15550100999', recipient_id: '15550100999', to: number.display_phone_number };
  const item = (sample: object) => ({
    id: `wamid.fuzz-${random.below(1e9)}`,
    timestamp: String(Math.floor(Date.now() / 1000) - random.below(100)),
    ...people,
    ...sample,
  });
  const changes = [
    () => ({ field: 'messages', value: { metadata, contacts, messages: [item(random.pick(messages))] } }),
    () => ({ field: 'messages', value: { metadata, contacts, statuses: [item(random.pick(statuses))] } }),
    () => ({ field: 'messages', value: { metadata, errors: [samples.errorSamples.error] } }),
    () => ({ field: 'calls', value: { metadata, contacts, calls: [item(random.pick(calls))] } }),
    () => ({ field: 'calls', value: { metadata, statuses: [item({ type: 'call', ...random.pick(callStatuses) })] } }),
    () => ({
      field: 'flows',
      value: { ...random.pick(flows), ...(waIds.length > 0 && { flow_id: random.pick(waIds) }) },
    }),
    () => ({ field: 'account_update', value: { event: 'VERIFIED_ACCOUNT' } }),
  ];
  return {
    object: 'whatsapp_business_account',
    entry: Array.from({ length: 1 + random.below(2) }, () => ({
      id: random.pick(workspaces).waba_id ?? '100000000000001',
      time: Math.floor(Date.now() / 1000),
      changes: Array.from({ length: 1 + random.below(3) }, () => random.pick(changes)()),
    })),
  };
}
