import { describe, expect, it } from 'vitest';
import { type Context, type Finding, findingsOf } from './check.ts';
import { judgeGraphVersion } from './deployment-checks.ts';
import { reportText } from './diagnose.ts';
import { judgeHealth } from './health.ts';
import { numberChecks } from './number-checks.ts';
import { Unknown } from './reads.ts';
import type { NumberSubject } from './subjects.ts';

const now = Date.parse('2026-11-26T12:00:00Z');

const context: Context = { now: () => now, hint: String.raw, callback: 'https://api.example/events', numbers: [] };

const because = 'the platform rejects the request (no such object)';
const rejected = () => Promise.reject(new Unknown(because));

/** What one check says about a number of which nothing else can be read. */
async function judgeNumber(check: keyof typeof numberChecks, known: object): Promise<Finding | undefined> {
  const unread = { platform: rejected, calling: rejected, key: rejected, lastEvent: rejected };
  const app = { subscription: rejected, id: async () => undefined };
  const number = { subject: 'Number', ...unread, app, account: undefined, ...known } as unknown as NumberSubject;
  return (await findingsOf(numberChecks, number, context)).find((finding) => finding.check === check);
}

it.each([
  ['v20.0', '2026-11-28', 'wrong'],
  ['v21.0', '2026-07-01', 'ok'],
  ['v21.0', '2026-11-28', 'notice'],
  ['v21.0', '2027-01-21', 'wrong'],
  ['v25.0', '2026-11-28', 'ok'],
  ['v27.0', '2026-11-28', 'ok'],
  ['v28.0', '2026-11-28', 'ok'],
] as const)('Graph %s is on %s: %s', (version, date, status) => {
  expect(judgeGraphVersion(version, Date.parse(date)).status).toBe(status);
});

describe('the health of a number', () => {
  const entity = (errors: number[], can_send_message = 'BLOCKED') => ({
    can_send_message: 'BLOCKED',
    entities: [
      {
        ...{ entity_type: 'PHONE_NUMBER', id: '1', can_send_message, can_receive_call_sip: 'BLOCKED' },
        errors: errors.map((error_code) => ({ error_code, error_description: 'why', possible_solution: undefined })),
        additional_info: undefined,
      },
    ],
  });

  it('is not a fault if it is BLOCKED because of SIP alone', () => {
    expect(judgeHealth(entity([138024]), ['PHONE_NUMBER'])).toMatchObject({ status: 'ok' });
    expect(judgeHealth(entity([138024], 'AVAILABLE'), ['PHONE_NUMBER'])).toMatchObject({ status: 'ok' });
  });

  it('is wrong if there is another reason beside SIP', () => {
    expect(judgeHealth(entity([138024, 131031]), ['PHONE_NUMBER'])).toEqual({
      status: 'wrong',
      text: 'PHONE_NUMBER is BLOCKED. 131031: why',
    });
  });
});

describe('the Flow key of a number', () => {
  const number = { id: 'n', phone_number_id: '1', active: true };
  const judged = (key: object, keyUse: NumberSubject['keyUse'], account: () => Promise<object> = async () => ({})) =>
    judgeNumber('flow-key', { number, keyUse, key: async () => key, account: { account, own: rejected } });

  it.each([
    ['is missed where a Flow needs it', 'decrypted-here', false, 'wrong', 'connect n'],
    ['is worth a notice where only the workspace has one', 'none', true, 'notice', 'connect n'],
    ['is not missed where neither a Flow needs one nor the workspace has one', 'none', false, 'ok', undefined],
  ] as const)('%s', async (_, keyUse, workspaceHasKey, status, command) => {
    const finding = await judged({ registration: 'none', workspaceHasKey }, keyUse);
    expect([finding?.status, finding?.command]).toEqual([status, command]);
  });

  it('is unknown where the token sees nothing of the account, and wrong where only the number is unknown', async () => {
    const key = { registration: 'unknown-number', workspaceHasKey: true } as const;
    expect(await judged(key, 'none', rejected)).toMatchObject({
      status: 'unknown',
      text: `unknown, because ${because}`,
    });
    expect(await judged(key, 'none')).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('does not know the number 1'),
    });
  });
});

it('a number without events is a notice, which says where to see whether the app is live', async () => {
  const known = { number: { active: true }, app: { id: async () => '500' } };
  expect(await judgeNumber('last-event', { lastEvent: async () => undefined, ...known })).toMatchObject({
    status: 'notice',
    text: expect.stringContaining('https://developers.facebook.com/apps/500'),
  });
});

describe('calls that are on here and off at the platform', () => {
  const commandWith = async (settings: object) => {
    const number = { id: 'n', calling_enabled: true, active: true };
    return (await judgeNumber('calling', { number, permitsCalls: true, calling: async () => settings }))?.command;
  };

  it('are turned on there, or off here while the number uses SIP, because connect would then fail', async () => {
    expect(await commandWith({ status: 'DISABLED' })).toBe('connect n --calling on');
    expect(await commandWith({ status: 'DISABLED', sip: { status: 'ENABLED' } })).toBe('number calling n off');
  });
});

describe('the report', () => {
  const because = 'the platform did not respond';
  const text = reportText([
    { check: 'clock', status: 'ok', subject: 'Service', text: 'fine' },
    { check: 'quality', status: 'unknown', subject: 'Number', text: `unknown, because ${because}` },
    { check: 'calling', status: 'unknown', subject: 'Number', text: `unknown, because ${because}` },
    { check: 'token', status: 'wrong', subject: 'Credentials', text: 'It has expired.', command: './messaging …' },
  ]);

  it('begins with the subject of what is wrong, and gives the command a line of its own', () => {
    expect(text.split('\n')).toEqual([
      '1 thing wrong, 2 unknown (0 notices, 1 ok).',
      '',
      'Credentials',
      '  WRONG    token: It has expired.',
      '           ./messaging …',
      '',
      'Number',
      '  unknown  quality, calling: unknown, because the platform did not respond',
      '',
      'Service',
      '  ok       clock',
    ]);
  });
});
