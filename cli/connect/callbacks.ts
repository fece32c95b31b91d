import { UpstreamError } from '#shared/base/upstream-error.ts';
import { subscribedObject } from '../platform/management.ts';
import { Rejection } from '../terminal/errors.ts';
import { asSentence } from '../terminal/failures.ts';
import { type CallbackLevel, type Callbacks, callbackLevels, decisiveLevel, isSameUrl } from './address.ts';
import { fieldsFor, ownFields } from './fields.ts';
import type { Outcome, Setup } from './steps.ts';

/** Where events go now and which fields the app gets, and what should change. */
interface CallbackPlan {
  current: Callbacks;
  currentFields: readonly string[];
  /** The level at which the callback should be set. */
  level: CallbackLevel;
  /** The fields that the app must get. */
  fields: readonly string[];
}

export async function planCallbacks(setup: Setup): Promise<CallbackPlan> {
  const { service, management, app, wabaId, number, options } = setup;
  const [subscriptions, apps, { webhook_configuration }, settings] = await Promise.all([
    management.subscriptions(app),
    management.subscribedApps(wabaId),
    management.phoneNumber(number.phone_number_id),
    service.targets.read(number.workspace),
  ]);
  const subscription = subscriptions.find(({ object }) => object === subscribedObject);
  const own = apps.find(({ whatsapp_business_api_data }) => whatsapp_business_api_data?.id === app.id);
  const current = {
    app: subscription?.callback_url,
    account: own?.override_callback_uri,
    number: webhook_configuration?.phone_number,
  };
  return {
    current,
    currentFields: subscription?.fields ?? [],
    level: levelFor(current, setup),
    fields: options.fields ?? fieldsFor(settings?.targets.webhook ?? {}),
  };
}

/**
 * Without a choice, what is set elsewhere stays: it may be somebody else's.
 *
 * @throws Rejection if events go elsewhere and no level was chosen
 */
function levelFor(current: Callbacks, { callback, options, self }: Setup): CallbackLevel {
  if (options.callback) return options.callback;
  const decisive = decisiveLevel(current);
  if (decisive === undefined || isSameUrl(current[decisive], callback.url)) return decisive ?? 'app';
  throw new Rejection(
    `The events go to ${current[decisive]}, which is set for the ${decisive}. With --callback number only messages and ` +
      'calls of this number come here, with --callback account those of the business account. To send all events of the ' +
      `app here: ${self} --callback app`,
  );
}

/**
 * Subscribes the app to the fields that are missing, and sets its callback if it has none or should have this one. An
 * override carries neither account and template events nor those of Flows, so the app needs a callback in any case.
 */
export async function subscribeApp(setup: Setup, plan: CallbackPlan): Promise<Outcome> {
  const { steps, management, app, callback, self } = setup;
  const { current, currentFields, level, fields } = plan;
  const missing = fields.filter((field) => !currentFields.includes(field));
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
    throw new Rejection(
      `The app lacks the fields ${missing.join(', ')}, and its callback is ${current.app}, whose verify token is not ` +
        'known here. Add the fields in the App Dashboard (WhatsApp, Configuration, Webhook fields), or move the callback ' +
        `here: ${self} --callback app`,
    );
  }
  const changes = [
    ...(missing.length > 0 ? [`subscribe the app to ${missing.join(', ')}`] : []),
    ...(isHere ? [] : [`send its events to ${callback.url}${insteadOf(current.app)}`]),
  ];
  return steps.change(`${changes.join(', and ')}.`, async () => {
    try {
      await management.subscribeApp(app, callback, [...new Set([...currentFields, ...fields])]);
    } catch (error) {
      const hasOwnFields = setup.options.fields?.join() === ownFields.join();
      if (!(error instanceof UpstreamError) || error.code !== 100 || hasOwnFields) throw error;
      throw new Rejection(
        `The platform rejects the subscription: ${asSentence(error.message)} If it does not know a field, name the ` +
          `others: ${self} --fields ${ownFields.join()}`,
      );
    }
  });
}

/** Sets the callback of the account or the number, and removes more specific ones, which would win. */
export async function setOverrides(setup: Setup, { current, level }: CallbackPlan): Promise<Outcome> {
  const { steps, management, wabaId, number, callback, options } = setup;
  const overrides = [
    {
      at: 'account',
      of: 'the business account',
      also: ', which also has its other numbers',
      set: (to?: typeof callback) => management.subscribeAccount(wabaId, to),
    },
    {
      at: 'number',
      of: 'the number',
      also: '',
      set: (to?: typeof callback) => management.setNumberCallback(number.phone_number_id, to),
    },
  ] as const;
  const changes = overrides.flatMap(({ at, of, also, set }) => {
    const old = current[at];
    if (isSameUrl(old, callback.url)) return [];
    if (at === level) {
      const text = `send messages and calls of ${of} to ${callback.url}${insteadOf(old)}`;
      return [{ text, make: () => set(callback) }];
    }
    const wins = callbackLevels.indexOf(at) > callbackLevels.indexOf(level);
    return old && wins ? [{ text: `remove the callback of ${of}, ${old}${also}`, make: () => set() }] : [];
  });
  if (changes.length > 0) {
    return steps.change(`${changes.map(({ text }) => text).join('; ')}.`, async () => {
      for (const { make } of changes) await make();
    });
  }
  const isPlanned = options.dryRun === true && !isSameUrl(current[level], callback.url);
  return {
    state: isPlanned ? 'would' : 'already',
    text: `messages and calls of the number ${isPlanned ? 'would come' : 'come'} here, as the ${level} says.`,
  };
}

const insteadOf = (old: string | undefined) => (old === undefined ? '' : ` in place of ${old}`);
