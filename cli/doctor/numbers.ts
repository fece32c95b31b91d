import { isObject, own } from '#shared/base/json.ts';
import { isSameUrl } from '../connect/address.ts';
import { registrationOf, unconnectedStates } from '../platform/registration.ts';
import { connectCommand, moveCommand } from './callbacks.ts';
import { type Check, type Context, type Judgement, notice, notShown, ok, unknownBecause, wrong } from './check.ts';
import { judgeHealth } from './health.ts';
import { ifKnown } from './reads.ts';
import type { NumberSubject } from './subjects.ts';
import { day, dayAndTime, span } from './words.ts';

const manager = 'https://business.facebook.com/wa/manage/phone-numbers/';

export const numberChecks = {
  async 'number-callback'(number, context) {
    const override = (await number.platform()).webhook_configuration?.phone_number;
    if (!override) return ok('there is no override');
    const { callback: ours } = context;
    if (isSameUrl(override, ours)) return ok(override);
    const text = `An override of the number sends its messages and calls elsewhere: to ${override}, not to ${ours}.`;
    return wrong(text, { command: moveCommand([number], 'number', context) });
  },
  async registration(number, context) {
    const seen = await number.platform();
    const shown = [seen.status, seen.platform_type].filter((one) => one !== undefined).join(', ');
    switch (registrationOf(seen)) {
      case 'registered':
        return ok('it is registered with the Cloud API');
      case 'elsewhere':
        return wrong(`The number is registered elsewhere (${shown}). Move it to the Cloud API first.`);
      case 'not-shown':
        return notShown;
      case 'unregistered': {
        const connect = await connectCommand([number], context);
        return wrong(`The number is not registered with the Cloud API (${shown}): it can neither send nor receive.`, {
          command: seen.is_pin_enabled ? `${connect} --pin` : connect,
        });
      }
    }
  },
  /**
   * A code that has expired proves what it proved. Meta's own test numbers are not verified, and work: then the number
   * is registered all the same.
   */
  async verification({ platform }) {
    const seen = await platform();
    const { code_verification_status: verified } = seen;
    if (verified === undefined) return notShown;
    if (verified === 'EXPIRED') return ok('verified; the code has expired since');
    if (verified !== 'NOT_VERIFIED') return ok('verified');
    const text = 'Nobody has proved by code that the number is theirs';
    const remedy = `Verify it at ${manager}.`;
    if (registrationOf(seen) !== 'registered') return wrong(`${text}, so it cannot be registered. ${remedy}`);
    return seen.account_mode === 'SANDBOX'
      ? notice(`${text}, as with Meta's test numbers.`)
      : notice(`${text}; it is registered, but another registration would fail. ${remedy}`);
  },
  'number-status': async ({ platform }) => judgeStatus(await platform()),
  'number-active'({ number }, { hint }) {
    if (number.active) return [];
    return notice('The number is switched off here, so its notifications go nowhere. To switch it on:', {
      command: hint`number activate ${number.id}`,
    });
  },
  'number-health': async ({ platform }) => judgeHealth((await platform()).health_status, ['PHONE_NUMBER']),
  async quality({ platform }) {
    const { quality_rating: rating } = await platform();
    const advice = `Send only what contacts asked for. See ${manager}.`;
    if (rating === 'RED') return wrong(`The quality is low: contacts block or report the number. ${advice}`);
    if (rating === 'YELLOW') {
      return notice(`The quality is medium: some contacts block or report the number. ${advice}`);
    }
    return ok(rating === 'GREEN' ? 'high' : 'not rated yet');
  },
  async 'display-name'({ platform }) {
    const { name_status: status, verified_name } = await platform();
    const name = verified_name === undefined ? 'The display name' : `The display name "${verified_name}"`;
    if (status === undefined || status === 'NONE') return notShown;
    if (status === 'APPROVED' || status === 'AVAILABLE_WITHOUT_REVIEW') return ok(verified_name ?? 'approved');
    if (status === 'PENDING_REVIEW') {
      return notice(`${name} is being reviewed; until then, the limit of messages stays low.`);
    }
    return wrong(
      `${name} is ${status}, so contacts do not see it and the limit stays low. Choose another at ${manager}.`,
    );
  },
  /** The settings of calls (Meta, "Configure Call Settings") against the switches here. */
  async calling(of, context) {
    const { number, permitsCalls: isOnHere } = of;
    const { hint } = context;
    const settings = await of.calling();
    const isOnThere = own(settings, 'status') === 'ENABLED';
    if (isOnHere === isOnThere) return ok(isOnHere ? 'on' : 'off');
    if (!isOnHere) {
      const command = number.calling_enabled
        ? hint`workspace calling ${number.workspace} on`
        : hint`number calling ${number.id} on`;
      const text = 'Contacts can call the number, but calls are off here, so nobody can accept them. To turn them on:';
      return notice(text, { command });
    }
    if (usesSip(settings)) {
      return wrong('Calls are on here, but the platform has them off and SIP on. To turn them off here:', {
        command: hint`number calling ${number.id} off`,
      });
    }
    return wrong('Calls are on here, but the platform has them off for this number, so nobody can call.', {
      command: `${await connectCommand([of], context)} --calling on`,
    });
  },
  sip: async ({ calling }) =>
    usesSip(await calling())
      ? notice(
          'Calls go over SIP, so the operations of calls do not work for this number. If that is not meant, turn SIP off ' +
            'in its call settings (docs/calling.md).',
        )
      : ok('off'),
  async 'call-restrictions'({ calling }) {
    const member = own(await calling(), 'restrictions');
    const all: unknown = isObject(member) ? own(member, 'restrictions_list') : member;
    const restrictions = (Array.isArray(all) ? all : []).filter(isObject).map((restriction) => {
      const [type, reason, until] = ['type', 'reason', 'expiration'].map((name) => own(restriction, name));
      const end = typeof until === 'number' ? ` until ${day(until * 1000)}` : '';
      return `${type ?? 'a restriction'}${end}${reason === undefined ? '' : ` (${reason})`}`;
    });
    if (restrictions.length === 0) return ok('none');
    return wrong(
      `The platform has restricted the calls of the number: ${restrictions.join('; ')}. Call only contacts who expect it.`,
    );
  },
  'flow-key': judgeKey,
  async 'last-event'({ lastEvent, app }, { now }) {
    const { kind, last_event_at: at } = (await lastEvent()) ?? {};
    if (at !== undefined) return ok(`${kind}, ${span(now() - at)} ago (${dayAndTime(at)})`);
    const dashboard = ['https://developers.facebook.com/apps', await app.id()].filter(Boolean).join('/');
    return notice(
      'No event of the number has arrived lately. Send it a message, and run doctor again. Until the app is live, only ' +
        `test events arrive: look for "Publish", or on older screens for "App Mode", in ${dashboard}`,
    );
  },
} as const satisfies Record<string, Check<NumberSubject>>;

const usesSip = (settings: object) => own(own(settings, 'sip'), 'status') === 'ENABLED';

function judgeStatus({ status, platform_type }: { status?: string | undefined; platform_type?: string | undefined }) {
  const see = `See the reason at ${manager}.`;
  switch (status) {
    case undefined:
      return notShown;
    case 'CONNECTED':
      return ok('connected');
    case 'FLAGGED':
      return wrong(`The number is flagged for its low quality; if that stays so for a week, its limit falls. ${see}`);
    case 'RESTRICTED':
      return wrong(`The number is restricted: its limit is reached, or it can only respond to contacts. ${see}`);
    case 'RATE_LIMITED':
      return wrong('The number sends too fast, and the platform rejects its messages for now.');
    default:
      return unconnectedStates.includes(status) && registrationOf({ status, platform_type }) !== 'registered'
        ? unknownBecause(`the number is ${status}: see registration`)
        : wrong(`The platform says that the number is ${status}. ${see}`);
  }
}

const later = 'It matters once a Flow has an endpoint.';

/** Judges the key that the platform has for a number. It matters only for Flows with an endpoint. */
async function judgeKey(of: NumberSubject, context: Context): Promise<Judgement> {
  const { number, keyUse } = of;
  const { registration, workspaceHasKey } = await of.key();
  const register = { command: context.hint`key register ${number.id}` };
  const fix = {
    what: `register the Flow key of the workspace for ${number.display_phone_number}`,
    apply: of.registerKey,
  };
  const [isOurs, isNeeded] = [keyUse === 'decrypted-here', keyUse !== 'none'];
  switch (registration) {
    case 'current':
      return ok('the key of the workspace, with a valid signature');
    case 'unknown-number':
      return judgeUnknownNumber(of);
    case 'mismatch': {
      const text = 'The platform rejects the signature of the Flow key, because the number was registered anew';
      return isNeeded
        ? wrong(`${text}: Flows with an endpoint do not open.`, { ...register, fix })
        : notice(`${text}. ${later}`, { ...register, fix });
    }
    case 'previous':
      return notice('The platform still has the previous key of the workspace, which the next rotation deletes.', {
        ...register,
        fix,
      });
    case 'none': {
      const help = { command: await connectCommand([of], context), fix };
      if (isNeeded) {
        return wrong('The number has no Flow key, so its Flows with an endpoint do not open.', isOurs ? help : {});
      }
      return workspaceHasKey
        ? notice(`The number has no Flow key, although its workspace has one. ${later}`, help)
        : ok('none, and no Flow in use needs one');
    }
    case 'foreign':
      if (isOurs) {
        return wrong(
          'The platform has a Flow key that is not ours, so the service cannot decrypt what phones send. Unless ' +
            'another system uses the number, replace it:',
          register,
        );
      }
      return isNeeded
        ? ok('a key that is not ours, as it must be for Flows that their owner decrypts')
        : notice(`The platform has a Flow key that is not ours. ${later}`);
  }
}

/** A token that may not see the account sees none of its numbers, which says nothing about this one. */
async function judgeUnknownNumber({ number, account, platform }: NumberSubject): Promise<Judgement> {
  if (account && !(await ifKnown(account.account))) await platform();
  return wrong(`The platform does not know the number ${number.phone_number_id}, or the access token may not see it.`);
}
