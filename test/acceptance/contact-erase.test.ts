import { beforeAll, expect, it, vi } from 'vitest';
import { openService, type Service } from '#cli/service.ts';
import { sendMessage } from '#functions/messages/contracts.ts';
import { updateWebhook } from '#functions/webhooks/contracts.ts';
import { seededNumbers, seededTokens, seededWorkspaces } from '#local/seed.ts';
import { openBucket } from '#shared/aws/bucket.ts';
import { scanTable } from '#shared/aws/table.ts';
import { isObject } from '#shared/base/json.ts';
import { maxDirectBytes } from '#shared/media/media-limits.ts';
import { runCommand, runCommandAs } from '#support/command-line.ts';
import { startFlowService } from '#support/flows/flow-service.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startReceiver } from '#support/http/receiver.ts';
import { soon } from '#support/worlds/delivery-world.ts';

const workspace = String(seededWorkspaces[0]?.id);
const number = String(seededNumbers[0]?.id);

interface Person {
  wa_id: string;
  user_id: string;
}
const erased: Person = { wa_id: '5511900000001', user_id: 'BR.13491208655302741918' };
const other: Person = { wa_id: '5511900000002', user_id: 'BR.99991208655302741918' };

let commands: Service;

const customer = forAllTests(() => startReceiver());
const service = forAllTests(() => startFlowService());
beforeAll(async () => {
  await service.api.succeed(updateWebhook, { params: { number }, body: { webhook: `${customer.url}/hook` } });
  const { aws } = service.world.description;
  const connection = { endpoint: aws.s3, region: aws.region, credentials: service.world.administrator };
  commands = openService({
    table: service.world.table,
    openUpstream: () => {
      throw new Error('Erasing does not need the platform.');
    },
    openBucket: () => openBucket(aws.bucket_name, connection),
  });
  for (const person of [erased, other]) await makeData(person);
  // Five events of each person, and the statuses of the messages to them, which come when the platform sends them.
  await vi.waitFor(() => expect(customer.received('/hook').length).toBeGreaterThan(10), soon);
  let last: string[] = [];
  await vi.waitFor(
    async () => {
      const before = last;
      last = await tableDump();
      expect(await undelivered()).toBe(0);
      expect(last).toEqual(before);
    },
    { ...soon, interval: 1_000 },
  );
});

/** Messages, a Flow and files of a person, in all the forms in which the service keeps them. */
async function makeData(person: Person): Promise<void> {
  const { wa_id, user_id } = person;
  const params = { number };
  const text = { type: 'text', text: { body: 'Hello' } };
  const headers = { 'idempotency-key': `to-${wa_id}` };
  await service.api.succeed(sendMessage, { params, headers, body: { to: `+${wa_id}`, ...text } });
  const flow = await service.published(workspace);
  const content = { flow: flow.id, cta: 'Book', body: 'Book a table' };
  await service.api.succeed(sendMessage, { params, body: { to: wa_id, type: 'flow', flow: content } });

  const media = await service.simulate<{ id: string }>('media', 'POST', {
    size: maxDirectBytes + 1,
    mime_type: 'video/mp4',
  });
  const events = [
    { type: 'text', contact: person, text: { body: `I am ${wa_id}` } },
    // From here on, the platform hides the phone number.
    { type: 'text', contact: { user_id }, text: { body: 'Hello' } },
    { type: 'text', contact: person, text: { body: 'x'.repeat(250_000) } },
    { type: 'video', contact: { user_id }, media_id: media.id },
    { type: 'read', contact: person },
  ];
  await service.simulate('events', 'POST', { events });
  const response = await fetch(`${service.baseUrl}/v2/messaging/numbers/${number}/media/${media.id}`, {
    redirect: 'manual',
    headers: { authorization: `Bearer ${seededTokens.owner}` },
  });
  expect(response.headers.get('location')).toContain(`media/${number}/${media.id}/`);
}

async function tableDump(): Promise<string[]> {
  const items = await Array.fromAsync(scanTable(service.world.table));
  return items.map((item) => JSON.stringify(item, inOrder)).sort();
}

/** The order of members varies from read to read. */
const inOrder = (_: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1))) : value;

const undelivered = async () =>
  (await tableDump()).filter((item) => item.includes('"attempt_count"') && !item.includes('"delivered"')).length;

/** Everything in the bucket, with its keys. */
async function bucketDump(): Promise<string[]> {
  const { bucket } = commands.contacts();
  const keys = await Array.fromAsync(bucket.list(''));
  return Promise.all(keys.map(async (key) => `${key} ${(await bucket.get(key))?.slice(0, 300)}`));
}

const everything = async () => [...(await tableDump()), ...(await bucketDump())];

const naming = (texts: readonly string[], { wa_id, user_id }: Person) =>
  texts.filter((text) => text.includes(wa_id) || text.includes(user_id));

const erase = (...options: string[]) => runCommand(commands, 'contact', 'erase', ...options);

it('a person is erased from the table and the bucket by phone number, and nobody else is', async () => {
  const before = await everything();
  const ofOthers = naming(before, other);
  expect(naming(before, erased).length).toBeGreaterThan(8);
  expect(before.filter((text) => text.startsWith('media/'))).toHaveLength(2);

  const { value: shown } = await erase('+55 11 90000-0001', '--dry-run', '--local');
  expect(shown).toEqual({
    contact: `${erased.wa_id}, ${erased.user_id}`,
    notifications: expect.any(Number),
    of_these_not_yet_delivered: 0,
    large_notifications_in_the_bucket: 1,
    copies_of_files: 1,
    sent_flows: 1,
    responses_kept_for_an_idempotency_key: 1,
    left_because_customers_wrote_it: 0,
  });
  expect(await everything()).toEqual(before);
  await expect(runCommandAs(async () => undefined, commands, 'contact', 'erase', erased.wa_id)).rejects.toThrow(
    '--yes',
  );

  const { value, note } = await erase('+55 (11) 90000-0001');
  expect(value).toEqual(shown);
  expect(note).toContain('35 days');
  const after = await everything();
  expect(naming(after, erased)).toEqual([]);
  expect(naming(after, other)).toEqual(ofOthers);
  expect(after.filter((text) => text.startsWith('media/'))).toHaveLength(1);

  const { value: again } = await erase(erased.wa_id);
  expect(again).toMatchObject({ contact: erased.wa_id, notifications: 0, sent_flows: 0, copies_of_files: 0 });
});
