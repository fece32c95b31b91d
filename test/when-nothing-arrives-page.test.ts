import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service, Surroundings } from '#cli/service.ts';
import type { SetupFault } from '#local/graph/core/setup-faults.ts';
import { breakerStore } from '#shared/adapters/dynamodb/subscribers/breakers.ts';
import { dayMs } from '#shared/base/time/duration.ts';
import { runCommand } from '../support/command-line.ts';
import { type DoctorWorld, startDoctorWorld } from '../support/worlds/doctor-world.ts';
import { accessToken, appSecret, verifyToken } from '../support/worlds/simulated-graph.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/when-nothing-arrives.md'), 'utf8');

/** The blocks of doctor's output on the page. */
const blocks = [...page.matchAll(/```text\n([\s\S]+?)```/g)].map(([, block = '']) => block);

/** The faults of the platform that the page is about. */
const faults: readonly SetupFault[] = [
  ...(['app_callback_missing', 'app_callback_elsewhere', 'app_secret_wrong', 'messages_field_missing'] as const),
  ...(['app_not_subscribed', 'account_callback_elsewhere', 'number_callback_elsewhere'] as const),
  ...(['number_not_registered', 'token_without_account', 'payment_missing', 'number_restricted'] as const),
  ...(['key_missing', 'key_mismatch', 'other_key', 'flow_throttled', 'flow_blocked', 'flow_version_expired'] as const),
  ...(['calling_off', 'sip_on', 'calls_restricted', 'calls_field_missing'] as const),
  ...(['token_expired', 'token_expires_soon', 'token_invalid', 'permission_missing', 'quality_red'] as const),
  ...(['account_restricted', 'graph_unreachable'] as const),
];

let world: DoctorWorld;
/** Every line that doctor prints in one of the situations of the page. */
const printed = new Set<string>();

beforeAll(async () => {
  world = await startDoctorWorld();
  await look();
  for (const fault of faults) {
    await world.break(fault);
    await look();
  }
  await world.break();
  await breakOurSide();
});
afterAll(() => world.close());

/** What is wrong on our own side, one thing after the other. */
async function breakOurSide(): Promise<void> {
  const { id } = world.number;
  await lookAt({ ...world.open(), baseUrl: 'https://api.example.invalid' });

  await look({ readDeadLetters: async () => ({ count: 3, queueArn: 'arn:aws:sqs:eu-west-1:123456789012:dead' }) });

  await runCommand(world.open(), 'number', 'calling', id, 'off');
  await look();
  await runCommand(world.open(), 'number', 'calling', id, 'on');

  await world.open().eventNotes.noteUnknown({
    ...{ phone_number_id: '106540352242923', display_phone_number: '+1 555-078-3882', waba_id: '102290129340398' },
    last_event_at: Date.parse('2026-11-25T12:00:00Z'),
  });
  await look();

  const url = 'http://127.0.0.1:9/';
  await world.open().targets.setUrls(id, { webhook: url });
  const breakers = breakerStore(world.table);
  await breakers.open(id, 'webhook', Date.now() - dayMs, Date.now(), url);
  await look();
  await breakers.pause(id, 'webhook', Date.now());
  await look();

  world.api.state.pingStatus = 503;
  await look();
  await world.storeCredentials({
    access_token: accessToken,
    app_secret: appSecret,
    verify_token: `not ${verifyToken}`,
  });
  await look();
  await world.storeCredentials({ access_token: accessToken });
  await look();
}

/** Runs doctor. */
async function look(surroundings: Surroundings = {}): Promise<void> {
  await lookAt(world.open(surroundings));
}

async function lookAt(service: Service): Promise<void> {
  const { text = '' } = await runCommand(service, 'doctor');
  for (const line of entriesOf(text)) printed.add(comparable(line));
}

/** What doctor says about one thing, with its command, in one line. doctor itself wraps its lines; the page does not. */
const entriesOf = (text: string) => text.replace(/\n {11}/g, ' ').split('\n');

/** A line without ids, addresses and times. */
const comparable = (line: string) =>
  line
    .replace(/ +/g, ' ')
    .replace(/https?:\/\/(?:localhost|127\.0\.0\.1|api\.example\.(?:com|invalid))[:\w]*/g, 'https://…')
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '…')
    .replace(/ --stage prod\b/g, '')
    .replace(/\(127\.0\.0\.1:9\)|\(receiver\.example\.com\)/g, '(…)')
    .replace(/\(E[A-Z_]+\)/g, '(…)')
    .replace(/\d{4}-\d\d-\d\d(?: \d\d:\d\d UTC)?/g, '…')
    .replace(/\d+ (?:day|hour|minute|second)s?\b/g, '…')
    .trim();

describe('the page about what does not arrive', () => {
  it('has a section for each symptom, with lines of doctor', () => {
    expect(page.match(/^## /gm)?.length).toBeGreaterThan(7);
    expect(blocks.length).toBeGreaterThan(7);
  });

  it('quotes only lines that doctor prints, with its commands', () => {
    if (process.env.SHOW_PAGE) console.log([...printed].join('\n'));
    const quoted = blocks.flatMap((block) => entriesOf(block.trimEnd()));
    expect(quoted.filter((line) => !printed.has(comparable(line)))).toEqual([]);
  });
});
