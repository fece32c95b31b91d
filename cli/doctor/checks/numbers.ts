import { isSameUrl } from '../../connect/address.ts';
import type { PlatformNumber } from '../../platform/objects.ts';
import { registrationOf, unconnectedStates } from '../../platform/registration.ts';
import { derive } from '../facts/fact.ts';
import type { LastEvent, NumberFacts } from '../facts/numbers.ts';
import type { Facts } from '../facts.ts';
import {
  byHand,
  type Commands,
  type Finding,
  finding,
  type Judgement,
  judge,
  notice,
  ok,
  unknownBecause,
  wrong,
} from '../finding.ts';
import { dayAndTime, span } from '../words.ts';
import { checkCalls } from './calls.ts';
import { accountOf, connectCommand } from './connect-command.ts';
import { judgeKey } from './flow-keys.ts';
import { judgeHealth } from './health.ts';

export function checkNumber(facts: NumberFacts, all: Facts, commands: Commands): Finding[] {
  const { number, subject, platform, key, lastEvent } = facts;
  const { at, deployment } = all;
  const { hint } = commands;
  const connect = { command: connectCommand(number.id, all, hint) };
  const health = derive(platform, ({ health_status }) => health_status);
  return [
    judge('number-callback', subject, platform, (value) =>
      judgeCallback(value, deployment.callback, { command: hint`connect ${number.id} --callback number` }),
    ),
    judge('registration', subject, platform, (value) => judgeRegistration(value, connect)),
    judge('verification', subject, platform, (value) => judgeVerification(value)),
    judge('number-status', subject, platform, judgeStatus),
    ...(number.active ? [] : [finding('number-status', subject, switchedOff(hint`number activate ${number.id}`))]),
    judge('number-health', subject, health, (value) => judgeHealth(value, ['PHONE_NUMBER'])),
    judge('quality', subject, platform, judgeQuality),
    judge('display-name', subject, platform, judgeName),
    ...checkCalls(facts, all, commands),
    judge('flow-key', subject, key, (value) => judgeKey(value, facts, accountOf(facts, all), connect, commands)),
    judge('last-event', subject, lastEvent, (event) => judgeLastEvent(event, at)),
    finding(
      'standby',
      subject,
      byHand(
        "Does Meta's Business Agent, or another app, hold its conversations? Their messages then come as standby events " +
          `to the webhook of the workspace. See the settings of ${number.display_phone_number} at https://business.facebook.com/wa/manage/phone-numbers/`,
      ),
    ),
  ];
}

type Help = Pick<Finding, 'command'>;

const switchedOff = (command: string) =>
  notice('The number is switched off here, so its notifications go nowhere. To switch it on:', { command });

const notShown = notice('not checked, because the platform does not show it');

function judgeCallback(
  { webhook_configuration: webhooks }: PlatformNumber,
  ours: string | undefined,
  connect: Help,
): Judgement {
  const override = webhooks?.phone_number;
  if (!override) return ok('there is no override');
  if (ours === undefined)
    return notice(`not checked, because the service's address is not known; events go to ${override}`);
  return isSameUrl(override, ours)
    ? ok(override)
    : wrong(
        `An override of the number sends its messages and calls elsewhere: to ${override}, not to ${ours}.`,
        connect,
      );
}

function judgeRegistration(number: PlatformNumber, connect: { command: string }): Judgement {
  const shown = [number.status, number.platform_type].filter((one) => one !== undefined).join(', ');
  switch (registrationOf(number)) {
    case 'registered':
      return ok('it is registered with the Cloud API');
    case 'unregistered':
      return wrong(
        `The number is not registered with the Cloud API (${shown}): it can neither send nor receive.`,
        number.is_pin_enabled ? { command: `${connect.command} --pin` } : connect,
      );
    case 'elsewhere':
      return wrong(`The number is registered elsewhere (${shown}). Move it to the Cloud API first.`);
    case 'not-shown':
      return notShown;
  }
}

/**
 * A code that has expired proves what it proved. Meta's own test numbers are not verified, and work: then the number is
 * registered all the same.
 */
function judgeVerification(number: PlatformNumber): Judgement {
  const { code_verification_status: verified, account_mode } = number;
  const isRegistered = registrationOf(number) === 'registered';
  if (verified === undefined) return notShown;
  if (verified !== 'NOT_VERIFIED')
    return ok(verified === 'EXPIRED' ? 'verified; the code has expired since' : 'verified');
  const text = 'Nobody has proved by code that the number is theirs';
  if (isRegistered && account_mode === 'SANDBOX') return notice(`${text}, as with Meta's test numbers.`);
  const remedy = 'Verify it at https://business.facebook.com/wa/manage/phone-numbers/.';
  return isRegistered
    ? notice(`${text}; it is registered, but another registration would fail. ${remedy}`)
    : wrong(`${text}, so it cannot be registered. ${remedy}`);
}

function judgeStatus({ status, platform_type }: PlatformNumber): Judgement {
  const see = 'See the reason at https://business.facebook.com/wa/manage/phone-numbers/.';
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

function judgeQuality({ quality_rating: rating }: PlatformNumber): Judgement {
  const advice = 'Send only what contacts asked for. See https://business.facebook.com/wa/manage/phone-numbers/.';
  if (rating === 'RED') return wrong(`The quality is low: contacts block or report the number. ${advice}`);
  if (rating === 'YELLOW') return notice(`The quality is medium: some contacts block or report the number. ${advice}`);
  return rating === 'GREEN' ? ok('high') : ok('not rated yet');
}

function judgeName({ name_status: status, verified_name }: PlatformNumber): Judgement {
  const name = verified_name === undefined ? 'The display name' : `The display name "${verified_name}"`;
  switch (status) {
    case undefined:
    case 'NONE':
      return notShown;
    case 'APPROVED':
    case 'AVAILABLE_WITHOUT_REVIEW':
      return ok(verified_name ?? 'approved');
    case 'PENDING_REVIEW':
      return notice(`${name} is being reviewed; until then, the limit of messages stays low.`);
    default:
      return wrong(
        `${name} is ${status}, so contacts do not see it and the limit stays low. Choose another at ` +
          'https://business.facebook.com/wa/manage/phone-numbers/.',
      );
  }
}

function judgeLastEvent(event: LastEvent | undefined, now: number): Judgement {
  return event
    ? ok(`${event.kind}, ${span(now - event.at)} ago (${dayAndTime(event.at)})`)
    : notice('No event of the number has arrived lately. Send it a message, and run doctor again.');
}
