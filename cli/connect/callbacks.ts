import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import { type AppCredentials, type Callback, type Management, subscribedObject } from '../../platform/management.ts';
import { asSentence } from '../../terminal/failures.ts';
import { isSameUrl } from '../address.ts';
import type { CallbackLevel } from '../callback-levels.ts';
import { ownFields } from '../fields.ts';
import { type Outcome, StepFailure, type Steps } from '../steps.ts';

/** Where events go now, by level, and which fields the app gets. */
export interface CurrentCallbacks {
  app: string | undefined;
  account: string | undefined;
  number: string | undefined;
  fields: readonly string[];
}

export async function readCallbacks(
  management: Management,
  { app, wabaId, phoneNumberId }: { app: AppCredentials; wabaId: string; phoneNumberId: string },
): Promise<CurrentCallbacks> {
  const [subscriptions, apps, number] = await Promise.all([
    management.subscriptions(app),
    management.subscribedApps(wabaId),
    management.phoneNumber(phoneNumberId),
  ]);
  const subscription = subscriptions.find(({ object }) => object === subscribedObject);
  const own = apps.find(({ whatsapp_business_api_data }) => whatsapp_business_api_data?.id === app.id);
  return {
    app: subscription?.callback_url,
    account: own?.override_callback_uri,
    number: number.webhook_configuration?.phone_number,
    fields: subscription?.fields ?? [],
  };
}

/** The level whose callback decides where messages and calls of a number go. */
export const decisiveLevel = (current: Pick<CurrentCallbacks, CallbackLevel>): CallbackLevel | undefined =>
  (['number', 'account', 'app'] as const).find((level) => current[level]);

/**
 * The level at which the callback should be set. Without a choice, what is set elsewhere stays: it may be somebody
 * else's.
 *
 * @throws StepFailure if events go elsewhere and no level was chosen
 */
export function levelFor(
  current: CurrentCallbacks,
  url: string,
  choice: CallbackLevel | undefined,
  self: string,
): CallbackLevel {
  if (choice) return choice;
  const decisive = decisiveLevel(current);
  if (decisive === undefined || isSameUrl(current[decisive], url)) return decisive ?? 'app';
  throw new StepFailure(
    `The events go to ${current[decisive]}, which is set for the ${decisive}. With --callback number only messages and ` +
      'calls of this number come here, with --callback account those of the business account. To send all events of the ' +
      `app here: ${self} --callback app`,
    { callback: 'app' },
  );
}

interface CallbackPlan {
  management: Management;
  app: AppCredentials;
  wabaId: string;
  phoneNumberId: string;
  callback: Callback;
  current: CurrentCallbacks;
  level: CallbackLevel;
  /** The fields that the app must get. */
  fields: readonly string[];
  /** The command. */
  self: string;
}

/**
 * Subscribes the app to the fields that are missing, and sets its callback if it has none or should have this one. An
 * override carries neither account and template events nor those of Flows, so the app needs a callback in any case.
 */
export async function subscribeApp(steps: Steps, plan: CallbackPlan): Promise<Outcome> {
  const { management, app, callback, current, level, fields, self } = plan;
  const missing = fields.filter((field) => !current.fields.includes(field));
  const isHere = isSameUrl(current.app, callback.url);
  if (isHere && missing.length === 0) {
    return { state: 'already', text: `the app sends ${fields.join(', ')} to ${callback.url}.` };
  }
  if (current.app !== undefined && !isHere && level !== 'app') {
    if (missing.length === 0) {
      return {
        state: 'left',
        text:
          `the app's own callback is ${current.app}, so events of the account, of templates and of Flows go there. ` +
          `To move them here: ${self} --callback app`,
      };
    }
    throw new StepFailure(
      `The app lacks the fields ${missing.join(', ')}, and its callback is ${current.app}, whose verify token is not ` +
        'known here. Add the fields in the App Dashboard (WhatsApp, Configuration, Webhook fields), or move the callback ' +
        `here: ${self} --callback app`,
    );
  }
  const all = [...new Set([...current.fields, ...fields])];
  return steps.change(changesOf({ missing, callback, isHere, old: current.app }), () =>
    management.subscribeApp(app, callback, all),
  );
}

function changesOf(change: {
  missing: readonly string[];
  callback: Callback;
  isHere: boolean;
  old: string | undefined;
}) {
  const { missing, callback, isHere, old } = change;
  const fields = missing.length > 0 ? [`subscribe the app to ${missing.join(', ')}`] : [];
  const instead = old === undefined ? '' : ` in place of ${old}`;
  const address = isHere ? [] : [`send its events to ${callback.url}${instead}`];
  return `${[...fields, ...address].join(', and ')}.`;
}

/** Sets the callback of the account or the number, and removes more specific ones, which would win. */
export async function setOverrides(steps: Steps, plan: CallbackPlan): Promise<Outcome | undefined> {
  const { management, wabaId, phoneNumberId, callback, current, level } = plan;
  const changes: { text: string; make: () => Promise<void> }[] = [];
  const wins = (own: string | undefined) => own !== undefined && !isSameUrl(own, callback.url);
  if (level === 'account' && !isSameUrl(current.account, callback.url)) {
    changes.push({
      text: `send messages and calls of the business account to ${callback.url}${insteadOf(current.account)}`,
      make: () => management.subscribeAccount(wabaId, callback),
    });
  }
  if (level === 'app' && wins(current.account)) {
    changes.push({
      text: `remove the callback of the business account, ${current.account}, which also has its other numbers`,
      make: () => management.subscribeAccount(wabaId),
    });
  }
  if (level === 'number' && !isSameUrl(current.number, callback.url)) {
    changes.push({
      text: `send messages and calls of the number to ${callback.url}${insteadOf(current.number)}`,
      make: () => management.setNumberCallback(phoneNumberId, callback),
    });
  }
  if (level !== 'number' && wins(current.number)) {
    changes.push({
      text: `remove the callback of the number, ${current.number}`,
      make: () => management.setNumberCallback(phoneNumberId, undefined),
    });
  }
  if (changes.length === 0 && !isSameUrl(current[level], callback.url)) {
    return { state: 'would', text: `messages and calls of the number would come here, as the ${level} says.` };
  }
  if (changes.length === 0) {
    return { state: 'already', text: `messages and calls of the number come here, as the ${level} says.` };
  }
  return steps.change(`${changes.map(({ text }) => text).join('; ')}.`, async () => {
    for (const { make } of changes) await make();
  });
}

const insteadOf = (old: string | undefined) => (old === undefined ? '' : ` in place of ${old}`);

/**
 * What an error of setting a callback means.
 *
 * @param fields those that the person named
 */
export function explainCallback(
  error: unknown,
  { self, fields }: { self: string; fields: readonly string[] | undefined },
): StepFailure | undefined {
  if (!(error instanceof UpstreamError)) return undefined;
  if (error.code === 2200) {
    return new StepFailure(
      `The platform could not make its handshake: ${asSentence(error.message)} The address works from here, so check ` +
        'that it is open to the internet, and that its certificate is valid: https://www.ssllabs.com/ssltest/',
    );
  }
  if (error.code === 100 && fields?.join() !== ownFields.join()) {
    return new StepFailure(
      `The platform rejects the subscription: ${asSentence(error.message)} If it does not know a field, name the ` +
        `others: ${self} --fields ${ownFields.join()}`,
      { fields: ownFields },
    );
  }
  return undefined;
}
