import { dayMs } from '#shared/base/time/duration.ts';
import { isSameUrl } from '../../connect/address.ts';
import type { Handshake } from '../../platform/handshake.ts';
import type { Subscription, TokenInfo } from '../../platform/objects.ts';
import { grantElsewhere, missingPermissions, neededPermissions } from '../../platform/token.ts';
import { setCommand } from '../../terminal/hints.ts';
import { type AppFacts, appIdOf, commonAppOf, type SecretOwner, type StoredCredentials } from '../facts/apps.ts';
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
  storeOneApp,
  unknownBecause,
  wrong,
} from '../finding.ts';
import { day, list, span } from '../words.ts';
import { callbacksOf, connectCommand, createCommand, createFirst } from './connect-command.ts';
import { judgeFields, wantedFields } from './fields.ts';

/** From so many days before its end on, a token counts as wrong. */
export const tokenEndsWithinDays = 14;

/** What is wrong with a set of credentials and the app that they belong to. */
export function checkApp(app: AppFacts, position: number, facts: Facts, { hint }: Commands): Finding[] {
  const { subject, workspace, stored, token, secretOwner, subscription, handshake } = app;
  const store = { command: setCommand(hint, workspace) };
  const newVerifyToken = { command: setCommand(hint, workspace, { generateVerifyToken: true }) };
  const number = facts.numbers.find((one) => one.app === position)?.number.id;
  const isOneApp = commonAppOf(app) !== undefined;
  const commandOf = (connect: string | undefined) => (connect === undefined ? {} : { command: connect });
  const { workspace: user } = facts.accounts.find((one) => one.app === position) ?? {};
  const move = number === undefined ? createCommand(user, hint) : hint`connect ${number} --callback app`;
  const moveHere = isOneApp ? { command: move } : store;
  const valid = validOf(token);
  const dashboard = ['https://developers.facebook.com/apps', appIdOf(app)].filter(Boolean).join('/');
  /** What subscribes the app to all that is wanted. The platform replaces the fields by those of the request. */
  const fixOf = (current: Subscription | undefined): Help => {
    if (!isOneApp) return store;
    const fields = [...new Set([...(current?.fields ?? []), ...wantedFields(app)])];
    return {
      ...commandOf(number && connectCommand(number, facts, hint)),
      ...(facts.deployment.callback !== undefined && { fix: { kind: 'subscribe-app', app: position, fields } }),
    };
  };
  /** What comes before the command. */
  const first = isOneApp ? number === undefined && createFirst('app') : storeOneApp;
  const inOrder = (judgement: Judgement): Judgement =>
    first && judgement.command ? { ...judgement, text: `${judgement.text} ${first}` } : judgement;
  const about = (check: Finding['check']) => (judgement: Judgement) => finding(check, subject, judgement);

  return [
    !stored.isKnown && stored.isMalformed
      ? finding('credentials', subject, wrong(`${stored.because}. Store the credentials anew:`, store))
      : judge('credentials', subject, stored, (value) =>
          judgeStored(value, store, newVerifyToken, { command: setCommand(hint, workspace, { dropFormer: true }) }),
        ),
    finding('token', subject, judgeToken(token, facts.at, store)),
    judge('token-expiry', subject, valid, (value) => judgeExpiry(value, facts.at, store)),
    ...judgeEach(valid, (value) => judgePermissions(value, store)).map(about('permissions')),
    ...judgeEach(valid, (value) => judgeAccess(value, app.wabaIds, store)).map(about('account-access')),
    judge('app-secret', subject, secretOwner, (owner) => judgeSecret(owner, token, store)),
    judge('own-address', subject, handshake, (value) =>
      judgeHandshake(value, String(facts.deployment.callback), newVerifyToken),
    ),
    judge('app-callback', subject, subscription, (value) =>
      inOrder(judgeCallback(value, position, facts, { subscribe: fixOf(value), elsewhere: moveHere })),
    ),
    ...judgeEach(subscription, (value) =>
      judgeFields(value, app, isElsewhere(value, facts.deployment.callback) ? moveHere : fixOf(value)).map(inOrder),
    ).map(about('app-fields')),
    finding(
      'app-mode',
      subject,
      byHand(
        'Is the app live? Until then, only test events arrive. Look for "Publish", which says whether it is unpublished, ' +
          `or on older screens for "App Mode", in ${dashboard}`,
      ),
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

const isElsewhere = (subscription: Subscription | undefined, ours: string | undefined) =>
  Boolean(subscription?.callback_url) && (ours === undefined || !isSameUrl(subscription?.callback_url, ours));

/** One judgement of each thing that a fact says; what is unknown stays unknown. */
function judgeEach<T>(fact: Fact<T>, conclude: (value: T) => Judgement[]): Judgement[] {
  return fact.isKnown ? conclude(fact.value) : [unknownBecause(fact.because)];
}

/** What an invalid token could do does not matter. */
function validOf(token: Fact<TokenInfo>): Fact<TokenInfo> {
  if (!token.isKnown || token.value.is_valid !== false) return token;
  return { isKnown: false, because: 'the token is not valid' };
}

type Help = Pick<Finding, 'command' | 'fix'>;

function judgeStored(
  { hasAccessToken, appSecrets, formerSecrets, hasVerifyToken }: StoredCredentials,
  store: Help,
  newVerifyToken: Help,
  dropFormer: Help,
): Judgement {
  const missing = [
    ...(hasAccessToken ? [] : ['the access token, without which nothing can be sent']),
    ...(appSecrets > 0 ? [] : ['the app secret, without which every event is rejected']),
    ...(hasVerifyToken ? [] : ['the verify token, without which Meta accepts no address for events']),
  ];
  if (missing.length === 0 && formerSecrets > 0) {
    return notice(
      'Events signed with a former app secret are still accepted, even if the deployment has dropped it. ' +
        'Once none arrive any more:',
      dropFormer,
    );
  }
  if (missing.length === 0) return ok('they are complete');
  // The first verify token is made together with the first of the others.
  const isVerifyTokenAlone = hasAccessToken && appSecrets > 0;
  return wrong(`Not stored yet: ${list(missing)}.`, isVerifyTokenAlone ? newVerifyToken : store);
}

function judgeHandshake({ status, isComplete, reason }: Handshake, callback: string, newVerifyToken: Help): Judgement {
  if (isComplete) return ok(`${callback} completes the handshake`);
  if (status === null) {
    return wrong(`${callback} does not respond from here (${reason}). Check that the service, or the tunnel, runs.`);
  }
  return status === 403
    ? wrong(
        `${callback} rejects the stored verify token (403). If it was stored a moment ago, run doctor again. ` +
          'Otherwise check that this address leads to this service. If it does, make a new verify token:',
        newVerifyToken,
      )
    : wrong(`${callback} responds to the handshake of events with ${status}. Check that it leads to this service.`);
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

function judgePermissions(info: TokenInfo, store: Help): Judgement[] {
  if (info.scopes === undefined) return [unknownBecause('the platform does not show them')];
  const missing = missingPermissions(info);
  if (missing.length === 0) return [ok(list(neededPermissions))];
  return missing.map((scope) =>
    wrong(
      `The access token lacks the permission ${scope}. Make a token of the system user with it, and store it:`,
      store,
    ),
  );
}

function judgeAccess(info: TokenInfo, wabaIds: readonly string[], store: Help): Judgement[] {
  const missing = wabaIds.filter((id) => grantElsewhere(info, id) !== undefined);
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
    const ours = `${owner.name} (${owner.id})`;
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
  { subscribe, elsewhere }: { subscribe: Help; elsewhere: Help },
): Judgement {
  const ours = facts.deployment.callback;
  const callback = subscription?.callback_url;
  if (!callback) return wrong('The app sends its events nowhere: no address is set for them.', subscribe);
  if (ours === undefined)
    return notice(`not checked, because the service's address is not known; events go to ${callback}`);
  if (isSameUrl(callback, ours)) {
    return subscription.active === false
      ? wrong(`The app sends no events: its subscription to ${callback} is not active.`, subscribe)
      : ok(callback);
  }
  return isCovered(position, ours, facts)
    ? notice(
        `The app sends its events to ${callback}. Messages and calls come here by overrides, but the events of accounts, ` +
          'templates and Flows go there.',
        elsewhere,
      )
    : wrong(`The app sends its events elsewhere: to ${callback}, not to ${ours}.`, elsewhere);
}

/** Whether an override sends the messages and calls of every number here. */
function isCovered(position: number, ours: string, facts: Facts): boolean {
  const own = facts.numbers.filter(({ app }) => app === position);
  return (
    own.length > 0 &&
    own.every(({ number }) => {
      const current = callbacksOf(number.id, facts);
      return isSameUrl(current.number || current.account, ours);
    })
  );
}
