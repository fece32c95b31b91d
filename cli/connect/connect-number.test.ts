import { beforeEach, describe, expect, it } from 'vitest';
import type { Credentials } from '#shared/accounts/credentials-store.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { newId } from '#shared/base/ids.ts';
import { minuteMs } from '#shared/base/time.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { FlowKey } from '#shared/flow-endpoint/flow-key-store.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { targetStore } from '#shared/webhooks/subscriber-store.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startHttpServer } from '#support/http/http-server.ts';
import type { Callback, Management } from '../platform/management.ts';
import type { PlatformNumber, SubscribedApp, Subscription, TokenInfo } from '../platform/objects.ts';
import { openService, type Service, type Upstream } from '../service.ts';
import { Interrupted } from '../terminal/errors.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { connect } from './connect-number.ts';
import type { ConnectOptions } from './steps.ts';

const app = { id: '500', secret: 'app-secret', name: 'Our app' };
const verifyToken = 'verify-token';

/** Answers the handshake as the service does. */
/** What the service responds with in place of the challenge. */
let apiFault: { status: number; body: string } | undefined;

const dynamodb = forAllTests(() => startTestTable());
const api = forAllTests(() =>
  startHttpServer(({ url = '' }, response) => {
    const query = new URL(url, 'http://service').searchParams;
    const isKnown = query.get('hub.verify_token') === verifyToken;
    response.writeHead(apiFault?.status ?? (isKnown ? 200 : 403));
    response.end(apiFault?.body ?? (isKnown ? query.get('hub.challenge') : ''));
  }),
);

const here = () => `${api.url}/v2/messaging/events`;
const elsewhere = 'https://elsewhere.example.com/events';

/** What the platform has, and the changes that it was asked for. */
interface Platform {
  token: TokenInfo;
  subscription: Subscription | undefined;
  subscribed: SubscribedApp[];
  number: PlatformNumber;
  key: string | undefined;
  calling: Record<string, unknown>;
  /** The error of each operation that fails. */
  errors: Partial<Record<'token' | 'app' | 'subscribeApp' | 'register', UpstreamError>>;
  changes: string[];
}

let platform: Platform;
let credentials: Credentials;
let keys: readonly FlowKey[];
let number: PhoneNumber;
let workspace: Workspace;
let baseUrl: string | undefined;
let platformUrl: string;

beforeEach(async () => {
  apiFault = undefined;
  credentials = { access_token: 'EAAtoken', app_secret: app.secret, verify_token: verifyToken };
  keys = [];
  baseUrl = api.url;
  platformUrl = 'http://127.0.0.1:3001';
  workspace = { id: newId(), name: 'Acme', waba_id: '102', created_at: 0 };
  number = {
    id: newId(),
    workspace: workspace.id,
    phone_number_id: String(Math.trunc(Math.random() * 1e15)),
    display_phone_number: '+1 555 010 0001',
    active: true,
    calling_enabled: false,
    created_at: 0,
  };
  platform = {
    token: {
      app_id: app.id,
      is_valid: true,
      scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
    } as TokenInfo,
    subscription: undefined,
    subscribed: [],
    number: {
      id: number.phone_number_id,
      display_phone_number: number.display_phone_number,
      status: 'DISCONNECTED',
      platform_type: 'NOT_APPLICABLE',
      code_verification_status: 'VERIFIED',
      is_pin_enabled: false,
    } as PlatformNumber,
    key: undefined,
    calling: { status: 'DISABLED' },
    errors: {},
    changes: [],
  };
  const { workspaces, numbers } = openService({ table: dynamodb.table, openUpstream: () => upstream() });
  await workspaces.create(workspace);
  await numbers.create(number);
});

/** Fails, or does and records what the platform was asked for. */
async function changing(text: string, change: () => void, error?: UpstreamError): Promise<void> {
  platform.changes.push(text);
  if (error) throw error;
  change();
}

function management(): Management {
  const failing = async <T>(error: UpstreamError | undefined, value: T): Promise<T> => {
    if (error) throw error;
    return value;
  };
  const setAccount = (callback?: Callback) => {
    platform.subscribed = [{ id: app.id, callback: callback?.url }];
  };
  const whole: Partial<Management> = {
    tokenInfo: () => failing(platform.errors.token, platform.token),
    app: ({ id, secret }) =>
      failing(
        platform.errors.app ?? (secret === app.secret ? undefined : new UpstreamError('credentials', 'Wrong secret')),
        { id, name: app.name },
      ),
    subscription: async () => platform.subscription,
    subscribeApp: (_, { url }, fields) =>
      changing(
        `app ${url} ${fields.join()}`,
        () => {
          const object = 'whatsapp_business_account';
          platform.subscription = { object, callback_url: url, active: true, fields: [...fields] };
        },
        platform.errors.subscribeApp,
      ),
    subscribedApps: async () => platform.subscribed,
    subscribeAccount: (wabaId, callback) =>
      changing(`account ${wabaId} ${callback?.url ?? 'no callback'}`, () => setAccount(callback)),
    phoneNumbers: async () => [platform.number],
    phoneNumber: async () => platform.number,
    setNumberCallback: (id, callback) =>
      changing(`number ${id} ${callback?.url ?? 'no callback'}`, () => setOverride(callback?.url)),
    register: (id, pin) =>
      changing(
        `register ${id} ${pin}`,
        () => Object.assign(platform.number, { status: 'CONNECTED', platform_type: 'CLOUD_API' }),
        platform.errors.register,
      ),
    calling: {
      read: async () => platform.calling,
      change: (_, settings) =>
        changing(`calling ${settings.status}`, () => void Object.assign(platform.calling, settings)),
    },
    encryption: {
      registeredKey: async () =>
        platform.key === undefined ? 'none' : { publicKey: platform.key, signatureStatus: 'VALID' },
      register: (_, publicKey) =>
        changing('key', () => {
          platform.key = publicKey;
        }),
    },
  };
  return whole as Management;
}

function setOverride(url: string | undefined): void {
  platform.number.webhook_configuration = { phone_number: url };
}

const upstream = (): Upstream => ({
  management: management(),
  encryption: management().encryption,
  credentials: async () => credentials,
  baseUrl: platformUrl,
  graphVersion: 'v25.0',
  secret: undefined as never,
  managementWith: management,
  flowKeys: {
    read: async () => ({ keys }),
    async replace(_, __, created) {
      keys = created;
      return true;
    },
  },
});

const service = (): Service => openService({ table: dynamodb.table, openUpstream: upstream, baseUrl });

const nobody: Terminal = { isInteractive: false, say: () => {}, askSecret: async () => '' };

/** Runs the command; returns what became of each step, and the steps by name. */
async function run(options: ConnectOptions = {}, terminal = nobody) {
  const stored = (await service().numbers.get(number.id)) ?? number;
  const steps = await connect(service(), stored, options, { terminal, show: () => {} });
  const { results } = steps;
  const stateOf = Object.fromEntries(results.map(({ step, state }) => [step, state]));
  const textOf = Object.fromEntries(results.map(({ step, text }) => [step, text]));
  return { stateOf, textOf, results, hasFailed: steps.has('failed') };
}

const connected = {
  credentials: 'already',
  number: 'already',
  'verify token': 'already',
  'business account': 'already',
  app: 'already',
  callback: 'already',
  registration: 'already',
  'Flow key': 'already',
};

describe('a number that nothing is set up for', () => {
  it('is connected, step by step', async () => {
    const { stateOf, results } = await run({ calling: 'on' });
    expect(stateOf).toEqual({
      ...{ credentials: 'already', number: 'already', 'verify token': 'already' },
      ...{ 'business account': 'done', app: 'done', callback: 'already', registration: 'done', 'Flow key': 'done' },
      ...{ calling: 'done', 'first message': 'left' },
    });
    const { pin } = results.find(({ step }) => step === 'registration') ?? {};
    expect(platform.changes).toEqual([
      'account 102 no callback',
      `app ${here()} messages,calls,flows`,
      `register ${number.phone_number_id} ${pin}`,
      'key',
      'calling ENABLED',
    ]);
    expect((await service().numbers.get(number.id))?.calling_enabled).toBe(true);
  });

  it('is left alone by a second run', async () => {
    await run({ calling: 'on' });
    platform.changes = [];
    const { stateOf } = await run({ calling: 'on' });
    expect(stateOf).toEqual({ ...connected, calling: 'already', 'first message': 'left' });
    expect(platform.changes).toEqual([]);
  });

  it('is left alone by a dry run, which says what it would do', async () => {
    const { stateOf } = await run({ calling: 'on', dryRun: true });
    expect(stateOf).toMatchObject({
      ...{ 'business account': 'would', app: 'would', registration: 'would', 'Flow key': 'would', calling: 'would' },
      ...{ callback: 'would', 'first message': 'would' },
    });
    expect([platform.changes, keys]).toEqual([[], []]);
  });
});

/** Everything is set up, except for what the test changes. */
async function connectedWith(change: () => void): Promise<void> {
  await run();
  change();
  platform.changes = [];
}

describe('where events go', () => {
  const moved = () => {
    if (platform.subscription) platform.subscription.callback_url = elsewhere;
  };

  it('is not changed without a choice if they go elsewhere', async () => {
    await connectedWith(moved);
    const { stateOf, textOf, hasFailed } = await run();
    expect(hasFailed).toBe(true);
    expect(stateOf).toMatchObject({ app: 'failed', callback: 'not-tried', 'first message': 'not-tried' });
    expect(textOf.app).toMatch(
      /go to https:\/\/elsewhere.*--callback number .*--callback account .*: \.\/messaging connect .* --callback app$/,
    );
    expect(platform.changes).toEqual([]);
  });

  it('is changed for the app', async () => {
    await connectedWith(moved);
    expect((await run({ callback: 'app' })).stateOf).toMatchObject({ app: 'done', callback: 'already' });
    expect(platform.changes).toEqual([`app ${here()} messages,calls,flows`]);
  });

  it.each(['account', 'number'] as const)('is changed for the %s only, and the app keeps its own', async (callback) => {
    await connectedWith(moved);
    const { stateOf, textOf } = await run({ callback });
    expect(stateOf).toMatchObject({ app: 'left', callback: 'done' });
    expect(textOf.app).toMatch(/own callback is https:\/\/elsewhere.*events of the account, of templates and of Flows/);
    const id = callback === 'number' ? number.phone_number_id : '102';
    expect(platform.changes).toEqual([`${callback} ${id} ${here()}`]);
    platform.changes = [];
    expect((await run({ callback })).stateOf).toMatchObject({ app: 'left', callback: 'already' });
    expect(platform.changes).toEqual([]);
  });

  it('cannot be set for the number alone while the app lacks fields that only its owner can add', async () => {
    await connectedWith(() => {
      moved();
      if (platform.subscription) platform.subscription.fields = ['messages'];
    });
    const { textOf, stateOf } = await run({ callback: 'number' });
    expect(stateOf).toMatchObject({ app: 'failed', callback: 'not-tried' });
    expect(textOf.app).toMatch(
      /lacks the fields calls, flows.*App Dashboard.*: \.\/messaging connect .*--callback app$/,
    );
  });

  it('is decided by the app again once more specific callbacks are removed', async () => {
    await connectedWith(() => {
      for (const subscribed of platform.subscribed) subscribed.callback = elsewhere;
      setOverride(elsewhere);
    });
    expect((await run()).stateOf).toMatchObject({ app: 'failed' });
    expect((await run({ callback: 'app' })).stateOf).toMatchObject({ app: 'already', callback: 'done' });
    expect(platform.changes).toEqual(['account 102 no callback', `number ${number.phone_number_id} no callback`]);
  });
});

describe('the fields of the app', () => {
  it('are added to those that it has', async () => {
    await connectedWith(() => {
      if (platform.subscription) platform.subscription.fields = ['security', 'messages'];
    });
    const { textOf } = await run();
    expect(textOf.app).toBe('subscribe the app to calls, flows.');
    expect(platform.changes).toEqual([`app ${here()} security,messages,calls,flows`]);
  });

  it('are also those that the webhook of the workspace wants', async () => {
    const targets = targetStore(dynamodb.table);
    await targets.setUrls(workspace.id, { webhook: 'https://example.com/workspace' });
    await run();
    expect(platform.subscription?.fields).toEqual(expect.arrayContaining(['account_update', 'standby', 'security']));
    await connectedWith(() => {
      platform.subscription = undefined;
    });
    await targets.changeTarget(workspace.id, 'webhook', { events: ['account_update', 'flow', 'target.failing'] });
    await run();
    expect(platform.subscription?.fields).toEqual(['messages', 'calls', 'flows', 'account_update']);
  });

  it('can be named', async () => {
    await run({ fields: ['messages'] });
    expect(platform.subscription?.fields).toEqual(['messages']);
  });
});

describe('the registration', () => {
  const attempts = () => platform.changes.filter((change) => change.startsWith('register'));

  it.each([
    ['the platform does not show the state', { platform_type: undefined, status: undefined }, /does not show whether/],
    ['the number is elsewhere', { platform_type: 'ON_PREMISE' }, /registered elsewhere \(ON_PREMISE\)/],
    ['the number is not verified', { code_verification_status: 'NOT_VERIFIED' }, /Verify it with a code/],
    [
      'there is a PIN that only people know',
      { is_pin_enabled: true },
      /To type it.*: \.\/messaging connect \S+ --pin$/,
    ],
  ])('is not tried if %s', async (_, state, expected) => {
    Object.assign(platform.number, state);
    const { stateOf, textOf } = await run();
    expect(stateOf).toMatchObject({ registration: 'failed', 'Flow key': 'not-tried' });
    expect(textOf.registration).toMatch(expected);
    expect(attempts()).toEqual([]);
  });

  it('uses the PIN that a person types, and does not show it', async () => {
    Object.assign(platform.number, { is_pin_enabled: true });
    const { results, textOf } = await run({ pin: true }, { ...nobody, askSecret: async () => '654321' });
    expect(attempts()).toEqual([`register ${number.phone_number_id} 654321`]);
    expect(textOf.registration).toMatch(/The service does not keep it/);
    expect(JSON.stringify(results)).not.toContain('654321');
  });

  it('is not tried, nor is anything after it, when a person ends the question with Ctrl-C', async () => {
    const askSecret = () => Promise.reject(new Interrupted());
    await expect(run({ pin: true }, { ...nobody, askSecret })).rejects.toThrow(Interrupted);
    expect(attempts()).toEqual([]);
    expect(platform.key).toBeUndefined();
  });

  it('is not tried with a PIN that cannot be right', async () => {
    const { textOf } = await run({ pin: true }, { ...nobody, askSecret: async () => '12345' });
    expect(textOf.registration).toMatch(/six digits\. Nothing was tried/);
    expect(attempts()).toEqual([]);
  });

  it('says where its new PIN is kept', async () => {
    const { results, textOf } = await run();
    const { pin } = results.find(({ step }) => step === 'registration') ?? {};
    expect(pin).toMatch(/^\d{6}$/);
    expect(textOf.registration).toMatch(new RegExp(`PIN is ${pin}\\. Keep it in your password manager now`));
  });

  it('shows the new PIN even if the platform does not confirm it', async () => {
    platform.errors.register = new UpstreamError('timeout', 'The messaging platform did not respond.');
    const { textOf, stateOf, results } = await run();
    expect(stateOf.registration).toBe('failed');
    const { pin } = results.find(({ step }) => step === 'registration') ?? {};
    expect(textOf.registration).toMatch(new RegExp(`may have been made: Its PIN is ${pin}`));
  });

  it.each([
    [133005, /PIN is wrong\. Do not guess/],
    [133006, /must be verified first/],
    [133015, /Wait five minutes/],
    [133016, /do not try until then/],
  ])('that fails with %i says what to do, and is tried once', async (code, expected) => {
    platform.errors.register = new UpstreamError('rejected', 'No', { code });
    const { textOf } = await run();
    expect(textOf.registration).toMatch(expected);
    expect(attempts()).toHaveLength(1);
  });
});

interface Fault {
  token?: Partial<TokenInfo>;
  secret?: Partial<Credentials>;
  number?: Partial<PlatformNumber>;
  /** Of the service to the handshake. */
  response?: typeof apiFault;
  address?: string;
  subscribing?: UpstreamError;
}

const ofOtherAccount = { granular_scopes: [{ scope: 'whatsapp_business_messaging', target_ids: ['999'] }] };

const rejected = (code: number) => new UpstreamError('rejected', 'The platform says no.', { code });

describe('a step that fails', () => {
  it.each<[string, Fault, string, RegExp]>([
    ['a token that has expired', { token: { is_valid: false } }, 'credentials', /is not valid/],
    [
      'no access token',
      { secret: { access_token: '' } },
      'credentials',
      /^The secret holds no access token\. .*upstream set$/,
    ],
    ['a token without a permission', { token: { scopes: [] } }, 'credentials', /lacks whatsapp_business/],
    ['a token for other accounts', { token: ofOtherAccount }, 'credentials', /may not use the business account 102/],
    ['a wrong app secret', { secret: { app_secret: 'other' } }, 'credentials', /does not belong to the app/],
    ['no app secret', { secret: { app_secret: '' } }, 'credentials', /holds no app secret/],
    [
      'no verify token',
      { secret: { verify_token: '' } },
      'verify token',
      /make one: \.\/messaging upstream set --generate-verify-token$/,
    ],
    [
      'another verify token',
      { secret: { verify_token: 'x' } },
      'verify token',
      /does not know this verify token\. If it was stored a moment ago, try again\./,
    ],
    ['another service', { response: { status: 200, body: 'Hi' } }, 'verify token', /something else runs/],
    ['a service that is away', { address: 'http://127.0.0.1:9' }, 'verify token', /does not respond from here \(/],
    ['a number of another account', { number: { id: '7' } }, 'number', /has no number with the id .*set-waba/],
    ['a handshake that fails', { subscribing: rejected(2200) }, 'app', /open to the internet/],
    ['a field that is unknown', { subscribing: rejected(100) }, 'app', /--fields messages,/],
  ])('says what to do: %s', async (_, fault, step, expected) => {
    const { token, secret, number, response, address, subscribing } = fault;
    Object.assign(platform.token, token);
    Object.assign(credentials, secret);
    Object.assign(platform.number, number);
    if (response) apiFault = response;
    if (address) baseUrl = address;
    if (subscribing) platform.errors.subscribeApp = subscribing;
    const { stateOf, textOf, hasFailed } = await run();
    expect([hasFailed, stateOf[step]]).toEqual([true, 'failed']);
    expect(textOf[step]).toMatch(expected);
    expect(stateOf['first message']).not.toBe('done');
  });

  it('ends a message of the platform before its own sentence begins', async () => {
    platform.errors.subscribeApp = new UpstreamError('rejected', '(#100) foo is no field', { code: 100 });
    expect((await run()).textOf.app).toContain('foo is no field. If it does not know');
  });

  it('changes nothing at the platform if the credentials are wrong', async () => {
    credentials.app_secret = 'other';
    await run();
    expect(platform.changes).toEqual([]);
  });

  it('does not keep steps from being tried that do not need it', async () => {
    apiFault = { status: 404, body: '' };
    expect((await run()).stateOf).toMatchObject({
      ...{ 'verify token': 'failed', app: 'not-tried', callback: 'not-tried' },
      ...{ 'business account': 'done', registration: 'done', 'Flow key': 'done' },
    });
  });
});

describe('a number that another deployment has connected before', () => {
  beforeEach(() =>
    connectedWith(() => {
      keys = [];
      if (platform.subscription) platform.subscription.callback_url = elsewhere;
    }),
  );

  it('is connected, and its Flow key stays, with the command that replaces it', async () => {
    const asked: Promise<void>[] = [];
    const say = () => {
      const note = { last_event_at: Date.now(), kind: 'message' } as const;
      asked.push(service().eventNotes.noteNumber(number.id, note));
    };
    const { stateOf, textOf, hasFailed } = await run({ callback: 'app', waitSeconds: 60 }, { ...nobody, say });
    await Promise.all(asked);
    expect(hasFailed).toBe(false);
    expect(stateOf).toMatchObject({ app: 'done', 'Flow key': 'left', 'first message': 'done' });
    expect(textOf['Flow key']).toMatch(
      /not ours.* Unless another system uses the number, replace it: \.\/messaging key register \S+$/,
    );
    expect(platform.changes).toEqual([`app ${here()} messages,calls,flows`]);
  });
  it('is not connected while the key is needed for a Flow in use that is decrypted here', async () => {
    await publishFlow({ endpoint_encrypted: false });
    const { stateOf, textOf } = await run({ callback: 'app' });
    expect(stateOf).toMatchObject({ 'Flow key': 'failed', 'first message': 'not-tried' });
    expect(textOf['Flow key']).toMatch(/Unless .*: \.\/messaging key register \S+$/);
  });

  it('keeps its Flow key if it is that of the owner of an endpoint, who decrypts', async () => {
    await publishFlow({ endpoint_encrypted: true });
    expect((await run({ callback: 'app' })).stateOf['Flow key']).toBe('left');
  });

  async function publishFlow({ endpoint_encrypted }: { endpoint_encrypted: boolean }): Promise<void> {
    const store = flowStore(dynamodb.table);
    const id = newId();
    const created = {
      ...{ id, workspace: workspace.id, name: 'Booking', categories: [3 as const], preview_generation: 0 },
      ...{ endpoint_url: 'https://customer.example/flow', endpoint_encrypted, json: { text: '{}' } },
      ...{ status: 'DRAFT' as const, version: null, created_at: 0, updated_at: 0 },
      lease: { holder: 'test', until: Date.now() + minuteMs },
    };
    await store.insert(created);
    await store.save(created, { wa_id: id, status: 'PUBLISHED' }, Date.now());
  }
});

describe('a number that is switched off here', () => {
  it('is connected, with the command without which its notifications go nowhere', async () => {
    await service().numbers.set(number.id, { active: false });
    const { stateOf, textOf, hasFailed } = await run();
    expect([hasFailed, stateOf.number]).toEqual([false, 'left']);
    expect(textOf.number).toMatch(/is switched off here\. To switch it on: \.\/messaging number activate \S+$/);
  });
});

describe('calls', () => {
  it('are not turned on while SIP is on', async () => {
    platform.calling = { status: 'DISABLED', sip: { status: 'ENABLED' } };
    const { stateOf, textOf } = await run({ calling: 'on' });
    expect(stateOf.calling).toBe('failed');
    expect(textOf.calling).toMatch(/SIP is on/);
    expect(platform.changes).not.toContain('calling ENABLED');
  });
});

describe('the address for events', () => {
  it.each(['http://203.0.113.7', 'http://localhost:3000', 'https://127.0.0.1:3000', 'http://api.example.com'])(
    'must be one that the real platform can reach: %s',
    async (address) => {
      platformUrl = 'https://graph.facebook.com';
      baseUrl = address;
      await expect(run()).rejects.toThrow(/needs an https address.*PUBLIC_URL.*--live/);
      expect(platform.changes).toEqual([]);
    },
  );
});

describe('the first message', () => {
  const note = (kind: 'message' | 'status', last_event_at: number) =>
    service().eventNotes.noteNumber(number.id, { last_event_at, kind });

  it('is shown when it arrives', async () => {
    const said: string[] = [];
    const terminal = { ...nobody, say: (line: string) => void said.push(line) };
    const result = run({ waitSeconds: 60 }, terminal);
    await expect.poll(() => said.length).toBe(1);
    await note('message', Date.now());
    const { stateOf, textOf } = await result;
    expect(said[0]).toMatch(/^Send a WhatsApp message to \+1 555 010 0001 now\./);
    expect(stateOf['first message']).toBe('done');
    expect(textOf['first message']).toMatch(/^An event \(message\) arrived at \d{4}-.*Z\.$/);
  });

  it('is not asked for if an event has just arrived and nothing was changed', async () => {
    await run();
    await note('status', Date.now());
    const { stateOf, textOf } = await run({ waitSeconds: 60 });
    expect(stateOf['first message']).toBe('already');
    expect(textOf['first message']).toMatch(/^An event \(status\) arrived at/);
  });

  it('that arrived long ago is enough for a second run, unless it is asked to wait', async () => {
    await run();
    await note('message', Date.parse('2026-11-01T12:00:00Z'));
    const terminal = { ...nobody, isInteractive: true };
    const { stateOf, textOf } = await run({}, terminal);
    expect(stateOf['first message']).toBe('already');
    expect(textOf['first message']).toContain('2026-11-01T12:00:00Z');
    expect((await run({ waitSeconds: 1 }, terminal)).stateOf['first message']).toBe('failed');
  });

  it('is not taken for what else arrives', async () => {
    const said: string[] = [];
    const result = run({ waitSeconds: 60 }, { ...nobody, say: (line: string) => void said.push(line) });
    await expect.poll(() => said.length).toBe(1);
    await note('status', Date.now());
    expect((await result).textOf['first message']).toMatch(
      /^An event \(status\) arrived at \S+ It shows that events come here, but it is not the message\.$/,
    );
  });

  it('that does not come is a failure', async () => {
    const { stateOf, textOf, hasFailed } = await run({ waitSeconds: 1 });
    expect([hasFailed, stateOf['first message']]).toEqual([true, 'failed']);
    expect(textOf['first message']).toMatch(/no event .* within 1 second\. .*\.\/messaging doctor \S+$/);
  });

  it('is not waited for without a terminal', async () => {
    const { stateOf, textOf, hasFailed } = await run();
    expect([hasFailed, stateOf['first message']]).toEqual([false, 'left']);
    expect(textOf['first message']).toMatch(
      /Send a WhatsApp message to .*To see when the last event arrived: \.\/messaging connect \S+$/,
    );
  });
});
