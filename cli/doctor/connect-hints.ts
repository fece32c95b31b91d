import { type CallbackLevel, decisiveLevel, isSameUrl } from '../platform/event-address.ts';
import type { Context } from './check.ts';
import { ifKnown } from './reads.ts';
import type { AccountSubject, AppSubject, NumberSubject } from './subjects.ts';

/** The numbers with these credentials, or of this business account. */
export const numbersOf = (of: AppSubject | AccountSubject, { numbers }: Context): NumberSubject[] =>
  numbers.filter(({ app, account }) => app === of || account === of);

/** The callbacks that the platform has for a number, as far as they are known. */
async function callbacksOf({ app, account, platform }: NumberSubject) {
  const [subscription, own, seen] = await Promise.all([
    ifKnown(app.subscription),
    account && ifKnown(account.own),
    ifKnown(platform),
  ]);
  return {
    app: subscription?.callback_url,
    account: own?.callback,
    number: seen?.webhook_configuration?.phone_number,
  };
}

/** Whether overrides below this level send the messages and calls of each of the numbers here. */
export async function haveOverrides(numbers: readonly NumberSubject[], level: CallbackLevel, ours: string) {
  const callbacks = await Promise.all(numbers.map(callbacksOf));
  const lower = callbacks.map(({ number, account }) => number || (level === 'app' ? account : undefined));
  return lower.length > 0 && lower.every((url) => isSameUrl(url, ours));
}

/**
 * The command that connects the first of the numbers. It names the level of the callback if events go elsewhere, as it
 * then must.
 */
export async function connectCommand(numbers: readonly NumberSubject[], { hint, callback }: Context): Promise<string> {
  const [number] = numbers;
  if (number === undefined) return hint`connect NUMBER`;
  const current = await callbacksOf(number);
  const level = decisiveLevel(current);
  return level === undefined || isSameUrl(current[level], callback)
    ? hint`connect ${number.number.id}`
    : hint`connect ${number.number.id} --callback ${level}`;
}

/** The command that sends the events of one of the numbers here at this level. */
export const moveCommand = ([number]: readonly NumberSubject[], level: CallbackLevel, { hint }: Context): string =>
  hint`connect ${number?.number.id ?? 'NUMBER'} --callback ${level}`;
