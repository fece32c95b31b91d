import { isSameUrl } from '../../connect/address.ts';
import type { CallbackLevel } from '../../connect/callback-levels.ts';
import { decisiveLevel } from '../../connect/steps/callbacks.ts';
import type { Hint } from '../../terminal/hints.ts';
import type { AccountFacts } from '../facts/accounts.ts';
import { appIdOf } from '../facts/apps.ts';
import type { NumberFacts } from '../facts/numbers.ts';
import type { Facts } from '../facts.ts';

/** The command that connects a number. It names the level of the callback if events go elsewhere, as it then must. */
export function connectCommand(numberId: string, facts: Facts, hint: Hint): string {
  const level = levelElsewhere(numberId, facts);
  return level === undefined ? hint`connect ${numberId}` : hint`connect ${numberId} --callback ${level}`;
}

/** What comes first while there is no number whose callback could be moved here. */
export const createFirst = (level: CallbackLevel): string =>
  `There is no active number to connect with --callback ${level}. Create one first:`;

export const createCommand = (workspace: string | undefined, hint: Hint): string =>
  hint`number create --workspace ${workspace ?? 'WORKSPACE'} --phone-number-id ID --display-phone-number NUMBER`;

/** The level whose callback decides where the events of a number go, if they go elsewhere. */
function levelElsewhere(numberId: string, facts: Facts): CallbackLevel | undefined {
  const current = callbacksOf(numberId, facts);
  const level = decisiveLevel(current);
  const ours = facts.deployment.callback;
  return level === undefined || ours === undefined || isSameUrl(current[level], ours) ? undefined : level;
}

/** The callbacks that the platform has for a number, as far as they are known. */
export function callbacksOf(numberId: string, facts: Facts): Record<CallbackLevel, string | undefined> {
  const { apps, numbers } = facts;
  const number = numbers.find((one) => one.number.id === numberId);
  const app = number && apps[number.app];
  const account = number && accountOf(number, facts);
  const subscribed = account?.subscribedApps.isKnown ? account.subscribedApps.value : [];
  const own = subscribed.find(({ whatsapp_business_api_data: data }) => data?.id === appIdOf(app));
  return {
    app: app?.subscription.isKnown ? app.subscription.value?.callback_url : undefined,
    account: own?.override_callback_uri,
    number: number?.platform.isKnown ? number.platform.value.webhook_configuration?.phone_number : undefined,
  };
}

/** The business account of a number, as its credentials see it. */
export const accountOf = ({ app, wabaId }: NumberFacts, { accounts }: Facts): AccountFacts | undefined =>
  accounts.find((one) => one.app === app && one.wabaId === wabaId);
