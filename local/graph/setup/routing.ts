import type { Change, Platform } from '../core/platform.ts';
import { knownFields } from '../events/events.ts';
import type { AccountSubscriptions } from './account.ts';
import type { AppSubscription } from './app.ts';
import type { NumberSetup } from './number-setup.ts';

/** The fields whose events follow overrides (Meta's page "Webhook overrides"). All others go to the app's callback. */
const overridable: ReadonlySet<string> = new Set([
  'messages',
  'message_echoes',
  'calls',
  'consumer_profile',
  'messaging_handovers',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
  'smb_message_echoes',
  'smb_app_state_sync',
  'history',
  'account_settings_update',
]);

/** Decides where events go. Undefined if the app does not get one: without a callback, a subscription, or the field. */
export function routing(
  { accounts }: Pick<Platform, 'accounts'>,
  app: AppSubscription,
  subscriptions: AccountSubscriptions,
  numbers: NumberSetup,
) {
  return ({ entryId, field, value }: Change): string | undefined => {
    const subscription = app.current();
    if (subscription === null) return undefined;
    // An app cannot subscribe to a field that the platform does not have, so its events always come.
    if (knownFields.has(field) && !subscription.fields.includes(field)) return undefined;
    if (!accounts.some(({ waba_id }) => waba_id === entryId)) return subscription.callback_url;
    const { subscribed, override } = subscriptions.of(entryId);
    if (!subscribed) return undefined;
    if (!overridable.has(field)) return subscription.callback_url;
    const number = numberIn(value);
    return (number && numbers.of(number).override) ?? override ?? subscription.callback_url;
  };
}

/** The id of the number that an event is about. */
function numberIn({ metadata, recipient, phone_number_settings }: Change['value']): string | undefined {
  return [metadata, recipient, phone_number_settings]
    .map((part) => Object(part).phone_number_id)
    .find((id) => typeof id === 'string');
}
