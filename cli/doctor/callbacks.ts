import { isSameUrl } from '../connect/address.ts';
import type { CallbackLevel } from '../connect/callback-levels.ts';
import { decisiveLevel } from '../connect/steps/callbacks.ts';
import type { Hint } from '../terminal/hints.ts';
import type { Context } from './check.ts';
import { type AccountFacts, appIdOf, type Facts, ifKnown, type NumberFacts } from './facts.ts';

/** The callbacks that the platform has for a number, as far as they are known. */
export function callbacksOf(numberId: string, facts: Facts): Record<CallbackLevel, string | undefined> {
  const number = facts.numbers.find((one) => one.number.id === numberId);
  const app = number && facts.apps[number.app];
  const subscribed = ifKnown(number && accountOf(number, facts)?.subscribedApps) ?? [];
  const own = subscribed.find(({ whatsapp_business_api_data: data }) => data?.id === appIdOf(app));
  return {
    app: ifKnown(app?.subscription)?.callback_url,
    account: own?.override_callback_uri,
    number: ifKnown(number?.platform)?.webhook_configuration?.phone_number,
  };
}

/** The business account of a number, as its credentials see it. */
export const accountOf = ({ app, wabaId }: NumberFacts, { accounts }: Facts): AccountFacts | undefined =>
  accounts.find((one) => one.app === app && one.wabaId === wabaId);

/** The command that connects a number. It names the level of the callback if events go elsewhere, as it then must. */
export function connectCommand(numberId: string, { all, hint }: Pick<Context, 'all' | 'hint'>): string {
  const current = callbacksOf(numberId, all);
  const level = decisiveLevel(current);
  const ours = all.deployment.callback;
  return level === undefined || ours === undefined || isSameUrl(current[level], ours)
    ? hint`connect ${numberId}`
    : hint`connect ${numberId} --callback ${level}`;
}

/** What comes first while there is no number whose callback could be moved here. */
export const createFirst = (level: CallbackLevel): string =>
  `There is no active number to connect with --callback ${level}. Create one first:`;

export const createCommand = (workspace: string | undefined, hint: Hint): string =>
  hint`number create --workspace ${workspace ?? 'WORKSPACE'} --phone-number-id ID --display-phone-number NUMBER`;
