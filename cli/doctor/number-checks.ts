import { isObject, own } from '#shared/base/json.ts';
import { isSameUrl } from '../platform/event-address.ts';
import { registrationOf, unconnectedStates } from '../platform/number-state.ts';
import {
  type Check,
  type Context,
  day,
  dayAndTime,
  type Judgement,
  notice,
  notShown,
  ok,
  span,
  unknownBecause,
  wrong,
} from './check.ts';
import { connectCommand, moveCommand } from './connect-hints.ts';
import { judgeHealth } from './health.ts';
import { ifKnown } from './reads.ts';
import type { NumberSubject } from './subjects.ts';

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
        const command = seen.is_pin_enabled ? `${connect} --pin` : connect;
        return wrong(`The number is not registered (${shown}): it can neither send nor receive.`, { command });
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
    const isTest = seen.account_mode === 'SANDBOX';
    return notice(`${text}${isTest ? ", as with Meta's test numbers." : `; it is registered all the same. ${remedy}`}`);
  },
  'number-status': async ({ platform }) => judgeStatus(await platform()),
  'number-active'({ number }, { hint }) {
    const text = 'The number is switched off here, so its notifications go nowhere. To switch it on:';
    return number.active ? [] : notice(text, { command: hint`number activate ${number.id}` });
  },
  'number-health': async ({ platform }) => judgeHealth((await platform()).health_status, ['PHONE_NUMBER']),
  async quality({ platform }) {
    const { quality_rating: rating } = await platform();
    const because = `contacts block or report the number. See ${manager}.`;
    if (rating === 'RED') return wrong(`The quality is low: ${because}`);
    if (rating === 'YELLOW') return notice(`The quality is medium: some ${because}`);
    return ok(rating === 'GREEN' ? 'high' : 'not rated yet');
  },
  async 'display-name'({ platform }) {
    const { name_status: status, verified_name } = await platform();
    const name = verified_name === undefined ? 'The display name' : `The display name "${verified_name}"`;
    if (status === undefined || status === 'NONE') return notShown;
    if (status === 'APPROVED' || status === 'AVAILABLE_WITHOUT_REVIEW') return ok(verified_name ?? 'approved');
    if (status === 'PENDING_REVIEW') return notice(`${name} is being reviewed; until then, the limit stays low.`);
    return wrong(
      `${name} is ${status}: contacts do not see it, and the limit stays low. Choose another at ${manager}.`,
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
      const ofWorkspace = hint`workspace calling ${number.workspace} on`;
      return notice('Contacts can call the number, but calls are off here. To turn them on:', {
        command: number.calling_enabled ? ofWorkspace : hint`number calling ${number.id} on`,
      });
    }
    const text = 'Calls are on here, but the platform has them off';
    return usesSip(settings)
      ? wrong(`${text} and SIP on. To turn them off here:`, { command: hint`number calling ${number.id} off` })
      : wrong(`${text} for this number.`, { command: `${await connectCommand([of], context)} --calling on` });
  },
  async sip({ calling }) {
    const text = 'Calls go over SIP, so the operations of calls do not work. To turn it off, see docs/calling.md.';
    return usesSip(await calling()) ? notice(text) : ok('off');
  },
  async 'call-restrictions'({ calling }) {
    const member = own(await calling(), 'restrictions');
    const all: unknown = isObject(member) ? own(member, 'restrictions_list') : member;
    const restrictions = (Array.isArray(all) ? all : []).filter(isObject).map((restriction) => {
      const [type, reason, until] = ['type', 'reason', 'expiration'].map((name) => own(restriction, name));
      const end = typeof until === 'number' ? ` until ${day(until * 1000)}` : '';
      return `${type ?? 'a restriction'}${end}${reason === undefined ? '' : ` (${reason})`}`;
    });
    if (restrictions.length === 0) return ok('none');
    return wrong(`The platform has restricted the calls of the number: ${restrictions.join('; ')}.`);
  },
  'flow-key': judgeKey,
  async 'last-event'({ lastEvent, app }, { now }) {
    const { kind, last_event_at: at } = (await lastEvent()) ?? {};
    if (at !== undefined) return ok(`${kind}, ${span(now() - at)} ago (${dayAndTime(at)})`);
    const dashboard = `https://developers.facebook.com/apps/${(await app.id()) ?? ''}`;
    const text = 'No event of the number has arrived lately. Send it a message, and run doctor again.';
    return notice(`${text} Until the app is published, only test events arrive: ${dashboard}`);
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
      return wrong(`The number is flagged for its low quality. ${see}`);
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
  const command = context.hint`key register ${number.id}`;
  const what = `register the Flow key of the workspace for ${number.display_phone_number}`;
  const fix = { what, apply: of.registerKey };
  const [isOurs, isNeeded] = [keyUse === 'decrypted-here', keyUse !== 'none'];
  switch (registration) {
    case 'current':
      return ok('the key of the workspace, with a valid signature');
    case 'unknown-number':
      return judgeUnknownNumber(of);
    case 'mismatch': {
      const text = 'The platform rejects the signature of the Flow key, because the number was registered anew.';
      return isNeeded
        ? wrong(`${text} Flows with an endpoint do not open.`, { command, fix })
        : notice(`${text} ${later}`, { command, fix });
    }
    case 'previous':
      return notice('The platform still has the previous key, which the next rotation deletes.', { command, fix });
    case 'none': {
      const help = { command: await connectCommand([of], context), fix };
      const text = 'The number has no Flow key';
      if (isNeeded) return wrong(`${text}, so its Flows with an endpoint do not open.`, isOurs ? help : {});
      if (workspaceHasKey) return notice(`${text}, although its workspace has one. ${later}`, help);
      return ok('none, and no Flow in use needs one');
    }
    case 'foreign': {
      if (isNeeded && !isOurs) return ok('a key that is not ours, as it must be for Flows that their owner decrypts');
      const text = 'The platform has a Flow key that is not ours';
      if (!isOurs) return notice(`${text}. ${later}`);
      const remedy = 'Unless another system uses the number, replace it:';
      return wrong(`${text}, so the service cannot decrypt what phones send. ${remedy}`, { command });
    }
  }
}

/** A token that may not see the account sees none of its numbers, which says nothing about this one. */
async function judgeUnknownNumber({ number, account, platform }: NumberSubject): Promise<Judgement> {
  if (account && !(await ifKnown(account.account))) await platform();
  return wrong(`The platform does not know the number ${number.phone_number_id}, or the access token may not see it.`);
}
