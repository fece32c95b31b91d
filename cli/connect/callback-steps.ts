import { UpstreamError } from '#shared/base/upstream-error.ts';
import {
  type CallbackLevel,
  type Callbacks,
  callbackLevels,
  decisiveLevel,
  echoFieldsFor,
  fieldsFor,
  isSameUrl,
  ownFields,
} from '../platform/event-address.ts';
import type { Callback } from '../platform/management.ts';
import { asSentence } from '../terminal/describe-failure.ts';
import { Rejection } from '../terminal/errors.ts';
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
  const [subscription, apps, { webhook_configuration }, settings, own] = await Promise.all([
    management.subscription(app),
    management.subscribedApps(wabaId),
    management.phoneNumber(number.phone_number_id),
    service.targets.read(number.workspace),
    service.targets.read(number.id),
  ]);
  const current = {
    app: subscription?.callback_url,
    account: apps.find(({ id }) => id === app.id)?.callback,
    number: webhook_configuration?.phone_number,
  };
  return {
    current,
    currentFields: subscription?.fields ?? [],
    level: levelFor(current, setup),
    fields: options.fields ?? [
      ...new Set([...fieldsFor(settings?.targets.webhook ?? {}), ...(own ? echoFieldsFor(own) : [])]),
    ],
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
  const levels = '--callback number moves messages and calls of this number, --callback account those of its account.';
  throw new Rejection(
    `The events go to ${current[decisive]}, as the ${decisive} says. ${levels} To send all events here: ${self} --callback app`,
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
    const move = `${self} --callback app`;
    if (missing.length === 0) {
      const there = `the app's own callback is ${current.app}, so events of the account, of templates and of Flows go there`;
      return { state: 'left', text: `${there}. To move them here: ${move}` };
    }
    // Fields are set together with a callback and its verify token, which nobody here knows.
    const lacks = `The app lacks the fields ${missing.join(', ')}, and its callback is ${current.app}`;
    throw new Rejection(`${lacks}. Add the fields in the App Dashboard, or move the callback here: ${move}`);
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
      const what = `The platform rejects the subscription: ${asSentence(error.message)}`;
      throw new Rejection(`${what} If it does not know a field, name the others: ${self} --fields ${ownFields.join()}`);
    }
  });
}

/** Sets the callback of the account or the number, and removes more specific ones, which would win. */
export async function setOverrides(setup: Setup, { current, level }: CallbackPlan): Promise<Outcome> {
  const { steps, management, wabaId, number, callback, options } = setup;
  const ofAccount = (to?: Callback) => management.subscribeAccount(wabaId, to);
  const ofNumber = (to?: Callback) => management.setNumberCallback(number.phone_number_id, to);
  const overrides = [
    { at: 'account', of: 'the business account', also: ', which also has its other numbers', set: ofAccount },
    { at: 'number', of: 'the number', also: '', set: ofNumber },
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
