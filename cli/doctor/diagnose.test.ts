import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { simulatedApp } from '#local/graph/core/accounts.ts';
import { newId } from '#shared/base/ids.ts';
import { dayMs, minuteMs } from '#shared/base/time.ts';
import { eventsPath } from '#shared/http/path.ts';
import { breakerStore } from '#shared/webhooks/breaker-store.ts';
import { runCommand } from '#support/command-line.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { openBreaker } from '#support/open-breaker.ts';
import { startDoctorWorld } from '#support/worlds/doctor-world.ts';
import { accessToken, appSecret, verifyToken } from '#support/worlds/simulated-graph.ts';
import { setCredentials } from '../credentials/set-credentials.ts';
import type { Surroundings } from '../service.ts';
import { CannotCheck } from '../terminal/errors.ts';
import type { Finding } from './check.ts';
import type { CheckName } from './checks.ts';
import { diagnose } from './diagnose.ts';

const world = forAllTests(() => startDoctorWorld());
beforeEach(async () => {
  await world.break();
  await world.storeCredentials({ access_token: accessToken, app_secret: appSecret, verify_token: verifyToken });
});

const doctor = (surroundings?: Partial<Surroundings>, ...words: string[]) =>
  runCommand(world.open(surroundings), 'doctor', ...words, '--local');

async function findingsOf(surroundings?: Partial<Surroundings>, ...words: string[]): Promise<Finding[]> {
  const { value } = await doctor(surroundings, ...words);
  return Reflect.get(value, 'findings') as Finding[];
}

async function findingOf(check: CheckName, surroundings?: Partial<Surroundings>): Promise<Finding | undefined> {
  return (await findingsOf(surroundings)).find((finding) => finding.check === check);
}

const setUrl = async (url: string | null) => {
  await world.open().targets.setUrls(world.number.id, { webhook: url });
};

describe('a healthy deployment', () => {
  it('is well: nothing is wrong or unknown, and the exit code is 0', async () => {
    const { value, hasFindings } = await doctor();
    const findings = Reflect.get(value, 'findings') as Finding[];
    expect(findings.filter(({ status }) => status === 'wrong' || status === 'unknown')).toEqual([]);
    expect({ healthy: Reflect.get(value, 'healthy'), hasFindings }).toEqual({ healthy: true, hasFindings: false });
  });

  it('is well without an active number, although a Flow is published', async () => {
    const service = world.open();
    const numbers = { ...service.numbers, listByWorkspace: async () => [{ ...world.number, active: false }] };
    const { value } = await diagnose({ ...service, numbers }, { number: undefined, fix: false });
    expect(value).toMatchObject({ healthy: true });
    const findings = Reflect.get(value, 'findings') as Finding[];
    expect(findings.find(({ check }) => check === 'flow-status')).toMatchObject({ status: 'ok' });
    expect(findings.find(({ check }) => check === 'flow-ping')).toMatchObject({ status: 'notice' });
  });

  it('is well also if reading it takes minutes', async () => {
    const { encryption } = world.open().upstream();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5 * minuteMs);
    try {
      expect(await encryption.registeredKey(world.number.phone_number_id)).toMatchObject({ signatureStatus: 'VALID' });
    } finally {
      clock.mockRestore();
    }
  });

  it('is checked for one number, by its id here or at the platform', async () => {
    for (const id of [world.number.id, world.number.phone_number_id]) {
      const findings = await findingsOf(undefined, id);
      expect(findings.filter(({ subject }) => subject.startsWith('Number '))).not.toEqual([]);
    }
  });

  it('is documented in JSON', async () => {
    expect((await doctor()).value).toEqual({
      healthy: true,
      checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      findings: expect.arrayContaining([
        {
          check: 'token',
          status: 'ok',
          subject: 'Credentials of the deployment',
          text: 'it belongs to the app Local app (500000000000001)',
          command: null,
          fixable: false,
        },
      ]),
    });
  });
});

describe('a fault of our own side', () => {
  it('is a stack that runs other code', async () => {
    const deployCommand = './messaging deploy --stage prod';
    expect(await findingOf('code-version', { codeVersion: '0123456789abcdef', deployCommand })).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('(0123456789ab)'),
      command: deployCommand,
    });
  });

  it('is a dead letter, with the command that sends it back', async () => {
    const readDeadLetters = async () => ({ count: 1, queueArn: 'arn:aws:sqs:us-east-1:1:dead' });
    expect(await findingOf('dead-letters', { readDeadLetters })).toMatchObject({
      status: 'wrong',
      text: expect.stringMatching(/^1 notification failed/),
      command: 'aws sqs start-message-move-task --source-arn arn:aws:sqs:us-east-1:1:dead',
    });
  });

  it('is a verify token that the service does not take', async () => {
    await world.storeCredentials({ access_token: accessToken, app_secret: appSecret, verify_token: 'other' });
    expect(await findingOf('own-address')).toMatchObject({
      status: 'wrong',
      text: expect.stringMatching(
        /rejects the stored verify token \(403\)\. If it was stored a moment ago, run doctor again\. Otherwise .*new verify token:$/,
      ),
      command: './messaging upstream set --local --generate-verify-token',
    });
  });

  it('is an address that does not respond, such as that of a tunnel that ended', async () => {
    const service = { ...world.open(), baseUrl: 'http://127.0.0.1:9' };
    const { value } = await runCommand(service, 'doctor', '--local');
    const findings = Reflect.get(value, 'findings') as Finding[];
    expect(findings.find(({ check }) => check === 'own-address')).toMatchObject({
      status: 'wrong',
      text: expect.stringMatching(/^http:\/\/127.0.0.1:9\/\S+ does not respond from here \(.+\)/),
    });
  });

  it.each([['a token alone'], [{ access_token: 7 }]])(
    'is a secret with other content, which can be stored anew: %j',
    async (content) => {
      await world.storeCredentials(content);
      const findings = await findingsOf();
      expect(findings.find(({ check }) => check === 'credentials')).toMatchObject({
        status: 'wrong',
        text: 'The secret messaging/test/upstream is not {"access_token": "…", …}. Store the credentials anew:',
        command: './messaging upstream set --local',
      });
      expect(JSON.stringify(findings)).not.toMatch(/Unexpected failure|a token alone/);
      const readInput = async () => JSON.stringify({ access_token: accessToken, app_secret: appSecret });
      await setCredentials(world.open(), undefined, {}, { isInteractive: false, askSecret: async () => '', readInput });
      expect(await findingOf('credentials')).toMatchObject({ status: 'ok' });
    },
  );

  it('is a secret of a workspace with other content, and nothing is logged amid the report', async () => {
    const logged = captureLog();
    onTestFinished(await world.storeOwnCredentials({ access_token: 5 }));
    const name = `messaging/test/credentials/${world.workspace.id}`;
    const findings = await findingsOf();
    expect(findings.filter(({ check }) => check === 'credentials')).toContainEqual(
      expect.objectContaining({
        status: 'wrong',
        text: `The secret ${name} is not {"access_token": "…", …}. Store the credentials anew:`,
        command: `./messaging upstream set --workspace ${world.workspace.id} --local`,
      }),
    );
    expect(logged).toEqual([]);
  });

  it('is a verify token that was never made', async () => {
    await world.storeCredentials({ access_token: accessToken, app_secret: appSecret, verify_token: '' });
    expect(await findingOf('credentials')).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('Not stored yet: the verify token'),
      command: './messaging upstream set --local --generate-verify-token',
    });
    expect(await findingOf('own-address')).toMatchObject({ status: 'unknown' });
  });

  it('is a number that is switched off, which is a notice', async () => {
    const { numbers } = world.open();
    await numbers.set(world.number.id, { active: false });
    expect(await findingsOf(undefined, world.number.id)).toContainEqual(
      expect.objectContaining({
        check: 'number-active',
        status: 'notice',
        command: `./messaging number activate ${world.number.id} --local`,
      }),
    );
    await numbers.set(world.number.id, { active: true });
  });

  it('is a field that the webhook of a workspace names and the app lacks', async () => {
    const { targets, upstream } = world.open();
    const { id } = world.workspace;
    const app = { id: simulatedApp.id, secret: appSecret };
    const callback = { url: `${world.api.url}${eventsPath}`, verifyToken };
    await upstream().management.subscribeApp(app, callback, ['messages', 'calls', 'flows']);
    await targets.setUrls(id, { webhook: 'http://127.0.0.1:9/' });
    await targets.changeTarget(id, 'webhook', { events: ['account_update', 'messages'] });
    expect(await findingOf('app-fields')).toMatchObject({
      status: 'wrong',
      text: 'The app is not subscribed to the field account_update, which the webhook of a workspace names.',
      command: `./messaging connect ${world.number.id} --local`,
    });
    await targets.changeTarget(id, 'webhook', { events: null });
    expect(await findingOf('app-fields')).toMatchObject({
      status: 'notice',
      text: expect.stringMatching(
        /gets all events, but the app is not subscribed to account_alerts, .* and user_preferences\.$/,
      ),
    });
    await doctor(undefined, '--fix');
    expect(await findingOf('app-fields')).toMatchObject({
      status: 'ok',
      text: expect.stringContaining('account_update'),
    });
    await upstream().management.subscribeApp(app, callback, ['messages', 'calls', 'flows']);
    await targets.setUrls(id, { webhook: null });
    await targets.setUrls(world.number.id, { secondary_webhook: 'http://127.0.0.1:9/' });
    await targets.changeTarget(world.number.id, 'secondary_webhook', { events: ['message_echoes.text'] });
    expect(await findingOf('app-fields')).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('not subscribed to smb_message_echoes and message_echoes'),
    });
    await doctor(undefined, '--fix');
    expect(await findingOf('app-fields')).toMatchObject({ status: 'ok' });
    await targets.setUrls(world.number.id, { secondary_webhook: null });
    await targets.changeTarget(world.number.id, 'secondary_webhook', { events: null });
  });

  it('is credentials that are not complete', async () => {
    await world.storeCredentials({ access_token: accessToken });
    expect(await findingOf('credentials')).toMatchObject({
      status: 'wrong',
      text: expect.stringMatching(/Not stored yet: the app secret.* and the verify token/),
    });
    const findings = await findingsOf();
    expect(findings.filter(({ status }) => status === 'wrong').map(({ check }) => check)).toEqual(['credentials']);
    await world.break('app_not_subscribed');
    expect(await findingOf('subscription')).toMatchObject({ status: 'wrong', fixable: false });
    expect(findings.find(({ check }) => check === 'app-secret')?.text).toBe('unknown, because no app secret is stored');
  });

  it('is an access token that was never stored, which is not a rejection by the platform', async () => {
    await world.storeCredentials({ access_token: '', app_secret: appSecret, verify_token: verifyToken });
    const findings = await findingsOf();
    expect(findings.filter(({ status }) => status === 'wrong').map(({ check }) => check)).toEqual(['credentials']);
    expect(findings.find(({ check }) => check === 'token')).toMatchObject({
      status: 'unknown',
      text: 'unknown, because no access token is stored',
    });
    expect(JSON.stringify(findings)).not.toContain('rejects');
  });

  it('is an endpoint that does not respond to a ping', async () => {
    world.api.state.pingStatus = 503;
    expect(await findingOf('flow-ping')).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('status 503'),
    });
    world.api.state.pingStatus = 200;
  });

  it('is a missing webhook, which is a notice with the request that sets it', async () => {
    await setUrl(null);
    const { command, ...found } = (await findingOf('target-success')) ?? {};
    expect(found).toMatchObject({ status: 'notice' });
    expect(command).toContain(`curl -X PUT ${world.api.url}/v2/messaging/numbers/${world.number.id}/webhook `);
  });

  it('is a webhook whose circuit breaker is open, and one that is paused', async () => {
    const url = 'http://127.0.0.1:9/';
    await setUrl(url);
    const breakers = breakerStore(world.table);
    await openBreaker(breakers, world.number.id, 'webhook', { now: Date.now() - dayMs });
    expect(await findingOf('target-breaker')).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('the circuit breaker has been open for 1 day'),
    });
    await breakers.pause(world.number.id, 'webhook', Date.now());
    expect(await findingOf('target-breaker')).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('has been paused since'),
      command: `curl -X POST ${world.api.url}/v2/messaging/numbers/${world.number.id}/webhook/resume -H 'Authorization: Bearer TOKEN'`,
    });
    await setUrl(null);
  });

  it('is an event of a number that is not here, which is a notice', async () => {
    await world.open().eventNotes.noteUnknown({
      phone_number_id: '42',
      display_phone_number: '+1 555 0100',
      waba_id: '7',
      last_event_at: Date.now(),
    });
    expect(await findingOf('unknown-numbers')).toMatchObject({
      status: 'notice',
      text: expect.stringContaining('is for +1 555 0100 (phone number id 42, business account 7)'),
      command: './messaging workspace list --local',
    });
  });
});

describe('a callback elsewhere while there is no number', () => {
  it.each([
    ['app_callback_elsewhere', 'app-callback', 'app'],
    ['account_callback_elsewhere', 'account-callback', 'account'],
  ] as const)('is moved with any number that will be created: %s', async (fault, check, level) => {
    await world.break(fault);
    const service = world.open();
    const numbers = { ...service.numbers, listByWorkspace: async () => [] };
    const { value } = await diagnose({ ...service, numbers }, { number: undefined, fix: false });
    const findings = Reflect.get(value, 'findings') as Finding[];
    expect(findings.find((finding) => finding.check === check)).toMatchObject({
      status: 'wrong',
      command: `./messaging connect NUMBER --callback ${level}`,
    });
  });
});

describe('a number that events name', () => {
  const note = (phone_number_id: string, display_phone_number: string | null = '+1 555 0100') =>
    world.open().eventNotes.noteUnknown({
      ...{ phone_number_id, display_phone_number, waba_id: world.workspace.waba_id },
      last_event_at: Date.now(),
    });

  it('is to be created in the workspace of its business account', async () => {
    await note('43');
    const commands = (await findingsOf()).map(({ command }) => command);
    expect(commands).toContain(
      `./messaging number create --workspace ${world.workspace.id} --phone-number-id 43 --display-phone-number '+1 555 0100' --local`,
    );
  });

  it('is to be filled in where the events do not show it', async () => {
    await note('44', null);
    expect((await findingsOf()).map(({ command }) => command)).toContain(
      `./messaging number create --workspace ${world.workspace.id} --phone-number-id 44 --display-phone-number NUMBER --local`,
    );
  });

  it('is no longer unknown once it was created', async () => {
    await note(world.number.phone_number_id);
    const texts = (await findingsOf()).filter(({ check }) => check === 'unknown-numbers').map(({ text }) => text);
    expect(texts.join()).not.toContain(world.number.phone_number_id);
  });
});

describe('the command to connect a number', () => {
  it.each([
    ['app_not_subscribed', 'app_callback_elsewhere', 'subscription', '--callback app'],
    ['number_not_registered', 'number_callback_elsewhere', 'registration', '--callback number --pin'],
    ['number_not_registered', 'account_callback_elsewhere', 'registration', '--callback account --pin'],
    ['calling_off', 'app_callback_elsewhere', 'calling', '--callback app --local --calling on'],
  ] as const)(
    'names the callback after %s and %s, without which it would refuse',
    async (one, other, check, option) => {
      await world.break(one, other);
      const { command = '' } = (await findingOf(check)) ?? {};
      expect(command.replace(' --local', '').split(' ')).toEqual(
        `./messaging connect ${world.number.id} ${option}`.replace(' --local', '').split(' '),
      );
    },
  );
});

describe("an account's callback elsewhere", () => {
  it('is not a fault if each number that is checked has one of its own that leads here', async () => {
    const { management } = world.open().upstream();
    const url = `${world.api.url}${eventsPath}`;
    await management.setNumberCallback(world.number.phone_number_id, { url, verifyToken });
    await world.break('account_callback_elsewhere');
    const finding = await findingOf('account-callback');
    expect(finding).toHaveProperty('status', 'notice');
    expect(finding).toHaveProperty('command', null);
    await management.setNumberCallback(world.number.phone_number_id, undefined);
  });
});

describe('a subscription of the app that is not active', () => {
  /** Doctor's word on the callback, and the callbacks that it set. */
  async function judged(callback_url: string) {
    const service = world.open();
    const upstream = service.upstream();
    const set: string[] = [];
    const whole = { object: 'whatsapp_business_account', fields: ['messages', 'calls', 'flows'] };
    const management = {
      ...upstream.management,
      subscription: async () => ({ ...whole, callback_url, active: false }),
      subscribeApp: async (_: unknown, { url }: { url: string }) => void set.push(url),
    };
    const inactive = { ...service, upstream: () => ({ ...upstream, management }) };
    const { value } = await diagnose(inactive, { number: undefined, fix: true });
    const findings = Reflect.get(value, 'findings') as Finding[];
    return { finding: findings.find(({ check }) => check === 'app-callback'), set, fixes: Reflect.get(value, 'fixes') };
  }

  it('is left to its owner if its address is elsewhere', async () => {
    const { finding, set } = await judged('https://elsewhere.example.com/events');
    expect(finding).toMatchObject({ status: 'wrong', text: expect.stringContaining('sends its events elsewhere') });
    expect(set).toEqual([]);
  });

  it('is made anew if its address is ours', async () => {
    const ours = `${world.api.url}${eventsPath}`;
    const { finding, set, fixes } = await judged(ours);
    expect(fixes).toContainEqual({ what: `send the app's events to ${ours}`, failure: null });
    expect(finding).toMatchObject({ status: 'wrong', text: expect.stringContaining('is not active') });
    expect(set).toEqual([ours]);
  });
});

describe('the limit of doctor', () => {
  it('is eight reads at once, however many numbers there are', async () => {
    const service = world.open();
    const upstream = service.upstream();
    let running = 0;
    let highest = 0;
    const counted =
      <A extends unknown[], R>(read: (...words: A) => Promise<R>) =>
      async (...words: A): Promise<R> => {
        highest = Math.max(highest, ++running);
        try {
          return await read(...words);
        } finally {
          running--;
        }
      };
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...world.number,
      id: newId(),
      phone_number_id: `${index}`,
    }));
    const { management } = upstream;
    await diagnose(
      {
        ...service,
        numbers: { ...service.numbers, listByWorkspace: async () => many },
        targets: { ...service.targets, read: counted(service.targets.read) },
        upstream: () => ({ ...upstream, management: { ...management, phoneNumber: counted(management.phoneNumber) } }),
      },
      { number: undefined, fix: false },
    );
    expect(highest).toBe(8);
  });
});

describe('--fix', () => {
  it.each(['token_of_other_app', 'app_secret_wrong'] as const)(
    'subscribes nothing while %s, because it would concern another app',
    async (fault) => {
      await world.break(fault, 'app_not_subscribed', 'calls_field_missing');
      const { text, value } = await doctor(undefined, '--fix');
      expect(text).toMatch(/^Nothing can be fixed safely\./);
      const findings = Reflect.get(value, 'findings') as (Finding & { fixable: boolean })[];
      expect(findings.find(({ check }) => check === 'subscription')).toMatchObject({
        status: 'wrong',
        fixable: false,
      });
    },
  );

  it('does not blame the credentials while nobody knows whose app secret it is', async () => {
    await world.break('app_not_subscribed');
    const service = world.open();
    const upstream = service.upstream();
    const management = { ...upstream.management, app: () => Promise.reject(new Error('busy')) };
    const broken = { ...service, upstream: () => ({ ...upstream, management }) };
    const { value } = await diagnose(broken, { number: undefined, fix: false });
    const findings = Reflect.get(value, 'findings') as (Finding & { fixable: boolean })[];
    expect(findings.find(({ check }) => check === 'subscription')).toMatchObject({
      command: `./messaging connect ${world.number.id}`,
      fixable: false,
    });
  });

  it('uses the app secret that is right while another one is stored before it', async () => {
    await world.storeCredentials({
      ...{ access_token: accessToken, verify_token: verifyToken },
      app_secret: ['not yet valid', appSecret],
    });
    await world.break('calls_field_missing');
    expect((await doctor(undefined, '--fix')).text).toContain('Done: subscribe the app to calls.');
    expect(await findingOf('app-fields')).toMatchObject({ status: 'ok' });
  });

  it('adds fields where the callback is the same address in another spelling', async () => {
    const { management } = world.open().upstream();
    const url = `${world.api.url.replace('127.0.0.1', '127.1')}${eventsPath}`;
    await management.subscribeApp({ id: simulatedApp.id, secret: appSecret }, { url, verifyToken }, ['messages']);
    expect((await doctor(undefined, '--fix')).text).toContain('Done: subscribe the app to calls, flows.');
    expect(await findingOf('app-fields')).toMatchObject({ status: 'ok' });
  });

  it('subscribes app and account and registers our key, and reads back that all is well', async () => {
    await world.break('app_not_subscribed', 'calls_field_missing', 'key_mismatch');
    const before = await doctor();
    expect(before).toMatchObject({ hasFindings: true, text: expect.stringContaining('With --fix') });
    const after = await doctor(undefined, '--fix');
    expect(after.text).toContain('Done: subscribe the app to the business account 102290129340398.');
    expect(after.text).toContain('Done: register the Flow key of the workspace for +1 555-078-3881.');
    expect(after).toMatchObject({ hasFindings: false, value: { healthy: true } });
    expect((await doctor(undefined, '--fix')).text).toMatch(/^Nothing can be fixed safely\./);
  });

  it('sets the callback of an app that has none, and says so', async () => {
    await world.break('app_callback_missing');
    expect(await doctor(undefined, '--fix')).toMatchObject({
      hasFindings: false,
      text: expect.stringContaining(`, and send the app's events to ${world.api.url}${eventsPath}.`),
    });
  });

  it('leaves alone what leads elsewhere, and a key that is not ours', async () => {
    await world.break('app_callback_elsewhere', 'account_callback_elsewhere', 'number_callback_elsewhere', 'other_key');
    const { text, hasFindings } = await doctor(undefined, '--fix');
    expect(text).toMatch(/^Nothing can be fixed safely\./);
    expect(text).toContain(`./messaging connect ${world.number.id} --callback app --local`);
    expect(hasFindings).toBe(true);
  });
});

describe('doctor itself', () => {
  it('could not run if the number does not exist', async () => {
    const id = '0198a000-0000-7000-8000-000000000009';
    await expect(doctor(undefined, id)).rejects.toThrow(CannotCheck);
  });
});

describe('a workspace with credentials of its own', () => {
  it('is well with its verify token while the deployment has none', async () => {
    await world.storeCredentials({ access_token: '', app_secret: '', verify_token: '' });
    await world.open().workspaces.setOwnCredentials(world.workspace.id, true);
    const { secret } = world.open().upstream({ id: world.workspace.id, own_credentials: true });
    await secret.replace(undefined, {
      ...{ access_token: accessToken, verify_token: verifyToken },
      app_secret: [appSecret, 'dropped by the deployment'],
    });
    const findings = await findingsOf();
    expect(findings.find(({ check }) => check === 'credentials')).toMatchObject({
      status: 'notice',
      command: `./messaging upstream set --workspace ${world.workspace.id} --local --drop-former`,
    });
    expect(findings.filter(({ status }) => status === 'wrong' || status === 'unknown')).toEqual([]);
    expect(findings.find(({ check }) => check === 'own-address')).toMatchObject({
      status: 'ok',
      subject: 'Credentials of workspace Acme',
    });
    await secret.delete();
    await world.open().workspaces.setOwnCredentials(world.workspace.id, false);
  });

  it('is checked with them, and named', async () => {
    await world.open().workspaces.setOwnCredentials(world.workspace.id, true);
    const findings = await findingsOf();
    expect(findings.find(({ subject }) => subject === 'Credentials of workspace Acme')).toMatchObject({
      check: 'credentials',
      status: 'wrong',
      command: `./messaging upstream set --workspace ${world.workspace.id} --local`,
    });
    expect(findings.filter(({ subject }) => subject === 'Credentials of the deployment')).toEqual([]);
    await world.open().workspaces.setOwnCredentials(world.workspace.id, false);
  });
});
