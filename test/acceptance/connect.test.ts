import { beforeAll, describe, expect, it } from 'vitest';
import { connect } from '#cli/connect/connect-number.ts';
import type { StepState } from '#cli/connect/steps.ts';
import { openService, openUpstream, type Service } from '#cli/service.ts';
import { simulatedApp } from '#local/graph/core/accounts.ts';
import type { SetupFault } from '#local/graph/core/setup-faults.ts';
import { seededPin } from '#local/graph/setup/number-setup.ts';
import { seededCredentials, seededNumbers } from '#local/seed.ts';
import { startFlowService } from '#support/flows/flow-service.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startHttpServer } from '#support/http/http-server.ts';

const [number] = seededNumbers;
if (number === undefined) throw new Error('No number is seeded');
const { phone_number_id: phoneNumberId } = number;

let service: Service;
/** The callback of somebody else, who accepts every handshake. */

const world = forAllTests(() => startFlowService());
const stranger = forAllTests(() =>
  startHttpServer(({ url = '' }, response) => {
    response.end(new URL(url, 'http://stranger').searchParams.get('hub.challenge') ?? '');
  }),
);
beforeAll(() => {
  const { aws } = world.world.description;
  const place = {
    secretId: aws.upstream_secret,
    baseUrl: world.upstreamUrl,
    graphVersion: 'v25.0',
    connection: { region: aws.region, endpoint: aws.secrets_manager, credentials: world.world.administrator },
  };
  service = openService({
    table: world.world.table,
    openUpstream: () => openUpstream(place),
    baseUrl: world.baseUrl,
  });
});

const management = () => service.upstream().management;
const app = { id: simulatedApp.id, secret: seededCredentials.app_secret };

const switchOn = (...faults: SetupFault[]) => world.simulate('setup/faults', 'PUT', { faults });

/** Nothing is set up but what only people can do: the number exists, and the credentials are stored. */
async function undo(): Promise<void> {
  await management().subscribeApp(app, { url: stranger.url, verifyToken: 'theirs' }, ['messages']);
  await management().setNumberCallback(phoneNumberId, undefined);
  await management().calling.change(phoneNumberId, { status: 'DISABLED' });
  await switchOn('app_not_subscribed', 'number_not_registered');
}

type Options = Parameters<typeof connect>[2];

/** Runs the command. `onAsk` happens when it asks for a message. */
async function run(options: Options = {}, onAsk = () => {}, pin = '') {
  if (number === undefined) throw new Error('No number is seeded');
  const terminal = { isInteractive: false, say: onAsk, askSecret: async () => pin };
  const before = (await world.upstreamRequests()).length;
  const stored = (await service.numbers.get(number.id)) ?? number;
  const { results } = await connect(service, stored, options, { terminal, show: () => {} });
  const requests = (await world.upstreamRequests()).slice(before);
  return {
    results,
    states: Object.fromEntries(results.map(({ step, state }): [string, StepState] => [step, state])),
    texts: Object.fromEntries(results.map(({ step, text }) => [step, text])),
    /** The changes that the platform was asked for. */
    writes: requests.filter(({ method }) => method !== 'GET').map(({ operation }) => operation),
  };
}

const writeToNumber = () =>
  world.simulate('events', 'POST', {
    events: [
      { type: 'text', phone_number_id: phoneNumberId, contact: { wa_id: '5511977665544' }, text: { body: 'Hi' } },
    ],
  });

describe('a number of the simulated platform', () => {
  it('is connected from scratch, up to a message that arrives while no webhook is set', async () => {
    await undo();
    const dry = await run({ callback: 'app', calling: 'on', dryRun: true, pin: true });
    expect(dry.states).toEqual({
      ...{ credentials: 'already', number: 'already', 'verify token': 'already', 'business account': 'would' },
      ...{ app: 'would', callback: 'would', registration: 'would', 'Flow key': 'would', calling: 'would' },
      'first message': 'would',
    });
    expect(dry.writes).toEqual([]);

    const asked: unknown[] = [];
    const options: Options = { callback: 'app', calling: 'on', pin: true, waitSeconds: 300 };
    const { states, texts, writes, results } = await run(options, () => void asked.push(writeToNumber()), seededPin);
    expect(results.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(states).toEqual({
      ...{ credentials: 'already', number: 'already', 'verify token': 'already', 'business account': 'done' },
      ...{ app: 'done', callback: 'already', registration: 'done', 'Flow key': 'done', calling: 'done' },
      'first message': 'done',
    });
    expect(writes).toEqual([
      'subscribe_to_account',
      'subscribe_app',
      'register_number',
      'set_public_key',
      'update_settings',
    ]);
    expect(asked).toHaveLength(1);
    expect(texts['first message']).toMatch(/^An event \(message\) arrived at /);
  });

  it('stays as it is when the command runs again', async () => {
    const { states, writes } = await run({ calling: 'on' });
    expect(new Set(Object.values(states))).toEqual(new Set(['already']));
    expect(writes).toEqual([]);
    expect(await management().subscription(app)).toMatchObject({
      callback_url: `${world.baseUrl}/v2/messaging/events`,
      fields: ['messages', 'calls', 'flows'],
    });
  });
});
