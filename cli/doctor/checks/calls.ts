import { isObject, own } from '#shared/base/json/json-object.ts';
import type { NumberFacts } from '../facts/numbers.ts';
import type { Facts } from '../facts.ts';
import { type Commands, type Finding, type Judgement, judge, notice, ok, wrong } from '../finding.ts';
import { connectCommand } from './connect-command.ts';

/** The settings of calls (Meta, "Configure Call Settings") against the switches here. */
export function checkCalls(facts: NumberFacts, all: Facts, { hint }: Commands): Finding[] {
  const { number, subject, calling, workspaceCalls } = facts;
  const isOnHere = number.calling_enabled && workspaceCalls;
  return [
    judge('calling', subject, calling, (settings) => {
      const isOnThere = own(settings, 'status') === 'ENABLED';
      if (isOnHere === isOnThere) return ok(isOnHere ? 'on' : 'off');
      if (isOnHere && usesSip(settings)) {
        const command = hint`number calling ${number.id} off`;
        return wrong('Calls are on here, but the platform has them off and SIP on. To turn them off here:', {
          command,
        });
      }
      if (isOnHere) {
        return wrong('Calls are on here, but the platform has them off for this number, so nobody can call.', {
          command: `${connectCommand(number.id, all, hint)} --calling on`,
        });
      }
      const command = number.calling_enabled
        ? hint`workspace calling ${number.workspace} on`
        : hint`number calling ${number.id} on`;
      return notice(
        'Contacts can call the number, but calls are off here, so nobody can accept them. To turn them on:',
        { command },
      );
    }),
    judge('sip', subject, calling, (settings) => {
      if (!usesSip(settings)) return ok('off');
      return notice(
        'Calls go over SIP, so the operations of calls do not work for this number. If that is not meant, turn SIP off ' +
          'in its call settings (docs/calling.md).',
      );
    }),
    judge('call-restrictions', subject, calling, judgeRestrictions),
  ];
}

const usesSip = (settings: object) => own(own(settings, 'sip'), 'status') === 'ENABLED';

function judgeRestrictions(settings: object): Judgement {
  const member = own(settings, 'restrictions');
  const list: unknown = isObject(member) ? own(member, 'restrictions_list') : member;
  const restrictions = (Array.isArray(list) ? list : []).filter(isObject);
  if (restrictions.length === 0) return ok('none');
  const texts = restrictions.map((restriction) => {
    const [type, reason, until] = ['type', 'reason', 'expiration'].map((name) => own(restriction, name));
    const end = typeof until === 'number' ? ` until ${new Date(until * 1000).toISOString().slice(0, 10)}` : '';
    return `${type ?? 'a restriction'}${end}${reason === undefined ? '' : ` (${reason})`}`;
  });
  return wrong(
    `The platform has restricted the calls of the number: ${texts.join('; ')}. Call only contacts who expect it.`,
  );
}
