import { dayMs } from '#shared/base/time/duration.ts';
import { isSameUrl } from '../../connect/address.ts';
import type { Subscription, TokenInfo } from '../../platform/objects.ts';
import { type AppFacts, appIdOf, type SecretOwner, type StoredCredentials } from '../facts/apps.ts';
import type { Fact } from '../facts/fact.ts';
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
import { day, list, span } from '../words.ts';

/** From so many days before its end on, a token counts as wrong. */
export const tokenEndsWithinDays = 14;

const neededScopes = ['whatsapp_business_messaging', 'whatsapp_business_management'];

/** What is wrong with a set of credentials and the app that they belong to. */
export function checkApp(app: AppFacts, position: number, facts: Facts, { hint }: Commands): Finding[] {
  const { subject, workspace, stored, token, secretOwner, subscription } = app;
  const store = {
    command: workspace === undefined ? hint`upstream set` : hint`upstream set --workspace ${workspace}`,
  };
  const number = facts.numbers.find((one) => one.app === position)?.number.id;
  const connect = number === undefined ? {} : { command: hint`connect ${number} --callback app` };
  const valid = validOf(token);
  const dashboard = ['https://developers.facebook.com/apps', appIdOf(app)].filter(Boolean).join('/');
  const about = (check: Finding['check']) => (judgement: Judgement) => finding(check, subject, judgement);

  return [
    judge('credentials', subject, stored, (value) => judgeStored(value, store)),
    finding('token', subject, judgeToken(token, facts.at, store)),
    judge('token-expiry', subject, valid, (value) => judgeExpiry(value, facts.at, store)),
    ...judgeEach(valid, (value) => judgePermissions(value, store)).map(about('permissions')),
    ...judgeEach(valid, (value) => judgeAccess(value, app.wabaIds, store)).map(about('account-access')),
    judge('app-secret', subject, secretOwner, (owner) => judgeSecret(owner, token, store)),
    judge('app-callback', subject, subscription, (value) => judgeCallback(value, position, facts, connect)),
    ...judgeEach(subscription, (value) => judgeFields(value, app, position)).map(about('app-fields')),
    finding(
      'app-mode',
      subject,
      byHand(`Is the app live? In development, only test events arrive. See "App Mode" at the top of ${dashboard}`),
    ),
    finding(
      'verify-token',
      subject,
      byHand(
        `Which verify token does Meta keep? It is used only when an address is saved. See WhatsApp, Configuration in ${dashboard}`,
      ),
    ),
  ];
}

/** One judgement of each thing that a fact says; what is unknown stays unknown. */
function judgeEach<T>(fact: Fact<T>, conclude: (value: T) => Judgement[]): Judgement[] {
  return fact.isKnown ? conclude(fact.value) : [unknownBecause(fact.because)];
}

/** What an invalid token could do does not matter. */
function validOf(token: Fact<TokenInfo>): Fact<TokenInfo> {
  if (!token.isKnown || token.value.is_valid !== false) return token;
  return { isKnown: false, because: 'the token is not valid' };
}

type Help = Pick<Finding, 'command'>;

function judgeStored({ hasAccessToken, appSecrets, hasVerifyToken }: StoredCredentials, store: Help): Judgement {
  const missing = [
    ...(hasAccessToken ? [] : ['the access token, without which nothing can be sent']),
    ...(appSecrets > 0 ? [] : ['the app secret, without which every event is rejected']),
    ...(hasVerifyToken ? [] : ['the verify token, without which Meta accepts no address for events']),
  ];
  return missing.length === 0 ? ok('they are complete') : wrong(`Not stored yet: ${list(missing)}.`, store);
}

/** Subcode 463 says that a token has expired (Meta, "Handle errors", authentication error codes). */
const expired = 463;

function judgeToken(token: Fact<TokenInfo>, now: number, store: Help): Judgement {
  if (token.isKnown && token.value.is_valid !== false) return ok(`it belongs to the app ${nameOf(token.value)}`);
  const { subcode, message } = (token.isKnown ? token.value.error : token.error) ?? {};
  if (!token.isKnown && token.error?.failure !== 'credentials') return unknownBecause(token.because);
  const endedAt = token.isKnown ? (token.value.expires_at ?? 0) * 1000 : 0;
  const hasExpired = subcode === expired || (endedAt > 0 && endedAt <= now);
  const what = hasExpired
    ? `The access token has expired${endedAt > 0 ? `, on ${day(endedAt)}` : ''}: nothing can be sent.`
    : `The platform rejects the access token, so nothing can be sent${message ? ` (${message})` : ''}.`;
  return wrong(`${what} Make one of a system user, which does not expire, and store it:`, store);
}

const nameOf = ({ application, app_id }: TokenInfo) => `${application ?? ''} (${app_id ?? 'id unknown'})`.trim();

function judgeExpiry({ expires_at = 0, data_access_expires_at = 0 }: TokenInfo, now: number, store: Help): Judgement {
  const ends = [
    { what: 'The access token expires', at: expires_at * 1000 },
    { what: "The token's access to data ends", at: data_access_expires_at * 1000 },
  ].filter(({ at }) => at > 0);
  const soon = ends.find(({ at }) => at - now < tokenEndsWithinDays * dayMs);
  if (soon) {
    const inTime = soon.at > now ? `in ${span(soon.at - now)}, on ${day(soon.at)}` : `on ${day(soon.at)}`;
    return wrong(`${soon.what} ${inTime}. Make a token of a system user, which does not expire, and store it:`, store);
  }
  const [first] = ends.toSorted((a, b) => a.at - b.at);
  return ok(first ? `it works until ${day(first.at)}` : 'it does not expire');
}

function judgePermissions({ scopes, granular_scopes = [] }: TokenInfo, store: Help): Judgement[] {
  if (scopes === undefined) return [unknownBecause('the platform does not show them')];
  const has = new Set([...scopes, ...granular_scopes.map(({ scope }) => scope)]);
  const missing = neededScopes.filter((scope) => !has.has(scope));
  if (missing.length === 0) return [ok(list(neededScopes))];
  return missing.map((scope) =>
    wrong(
      `The access token lacks the permission ${scope}. Make a token of the system user with it, and store it:`,
      store,
    ),
  );
}

/** Without targets, a scope holds for everything that the user may see. */
function judgeAccess({ granular_scopes = [] }: TokenInfo, wabaIds: readonly string[], store: Help): Judgement[] {
  const limited = granular_scopes.filter(({ scope, target_ids }) => neededScopes.includes(scope) && target_ids);
  const missing = wabaIds.filter((id) => limited.some(({ target_ids }) => !target_ids?.includes(id)));
  if (missing.length === 0)
    return [ok(wabaIds.length === 0 ? 'no workspace has an account' : 'it covers every account')];
  return missing.map((id) =>
    wrong(
      `The access token was not granted the business account ${id}. In the Business Settings, assign the account to ` +
        'the system user, make a new token, and store it:',
      store,
    ),
  );
}

function judgeSecret(owner: SecretOwner | undefined, token: Fact<TokenInfo>, store: Help): Judgement {
  const tokenApp = token.isKnown ? token.value : undefined;
  if (owner === undefined) {
    const app = tokenApp ? nameOf(tokenApp) : 'that the token belongs to';
    return wrong(
      `The stored app secret is not that of the app ${app}, so every event is rejected with 401. Store it:`,
      store,
    );
  }
  if (tokenApp?.app_id !== undefined && tokenApp.app_id !== owner.id) {
    const ours = `${owner.name ?? ''} (${owner.id})`.trim();
    return wrong(
      `The access token belongs to another app, ${nameOf(tokenApp)}, than the app secret: ${ours}. Store both of one app:`,
      store,
    );
  }
  return ok('it is that of the app');
}

/**
 * The app's callback gets all events for which neither an account nor a number has one of its own. The override of a
 * number carries no events of accounts and templates.
 */
function judgeCallback(
  subscription: Subscription | undefined,
  position: number,
  facts: Facts,
  connect: Help,
): Judgement {
  const ours = facts.deployment.callback;
  const callback = subscription?.callback_url;
  if (!callback || subscription?.active === false) {
    // The platform replaces the fields by those of the request.
    const fields = [...new Set([...(subscription?.fields ?? []), ...subscribedFields])];
    const fix = { kind: 'subscribe-app', app: position, fields } as const;
    return wrong('The app sends its events nowhere: no address is set for them.', { ...connect, fix });
  }
  if (ours === undefined)
    return notice(`not checked, because the service's address is not known; events go to ${callback}`);
  if (isSameUrl(callback, ours)) return ok(callback);
  return isCovered(position, ours, facts)
    ? notice(
        `The app sends its events to ${callback}. Messages and calls come here by overrides, but the events of accounts, ` +
          'templates and Flows go there. To move them:',
        connect,
      )
    : wrong(`The app sends its events elsewhere: to ${callback}, not to ${ours}.`, connect);
}

/** Whether an override sends the messages and calls of every number here. */
function isCovered(position: number, ours: string, { accounts, numbers }: Facts): boolean {
  const isHere = (url: string | undefined) => isSameUrl(url, ours);
  const own = numbers.filter(({ app }) => app === position);
  return (
    own.length > 0 &&
    own.every(({ platform, wabaId }) => {
      const account = accounts.find((one) => one.app === position && one.wabaId === wabaId);
      const subscribed = account?.subscribedApps.isKnown ? account.subscribedApps.value : [];
      return (
        (platform.isKnown && isHere(platform.value.webhook_configuration?.phone_number)) ||
        subscribed.some(({ override_callback_uri }) => isHere(override_callback_uri))
      );
    })
  );
}

/** The fields of the events that the service uses. A subscription is for all fields at once. */
export const subscribedFields = ['messages', 'calls', 'flows'] as const;

const fieldUse = {
  messages: 'messages and statuses do not arrive',
  calls: 'calls do not arrive',
  flows: 'the service does not hear when the platform throttles or blocks a Flow',
} as const;

function judgeFields(subscription: Subscription | undefined, app: AppFacts, position: number): Judgement[] {
  if (subscription === undefined) return [unknownBecause('the app has no subscription')];
  const missing = subscribedFields.filter((field) => !subscription.fields.includes(field));
  if (missing.length === 0) return [ok(list(subscription.fields))];
  const fields = [...new Set([...subscription.fields, ...subscribedFields])];
  return missing.map((field) => {
    const text = `The app is not subscribed to the field ${field}: ${fieldUse[field]}.`;
    const isNeeded = field === 'messages' || (field === 'calls' ? app.hasCalling : app.hasFlows);
    const help = { fix: { kind: 'subscribe-app', app: position, fields } } as const;
    return isNeeded ? wrong(text, help) : notice(text, help);
  });
}
