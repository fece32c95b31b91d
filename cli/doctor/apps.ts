import { dayMs } from '#shared/base/time/duration.ts';
import { appSecrets, formerSecrets } from '#shared/domain/access/upstream-credentials.ts';
import { isSameUrl } from '../connect/address.ts';
import { fieldsFor, type OwnField, ownFields } from '../connect/fields.ts';
import { shakeHands } from '../platform/handshake.ts';
import { subscribedObject } from '../platform/management.ts';
import type { Subscription, TokenInfo } from '../platform/objects.ts';
import { type ProvenApp, provenApp } from '../platform/proven-app.ts';
import { grantElsewhere, missingPermissions, neededPermissions } from '../platform/token.ts';
import { setCommand } from '../terminal/hints.ts';
import type { Upstream } from '../upstream.ts';
import { callbacksOf, connectCommand, createCommand, createFirst } from './callbacks.ts';
import {
  type Check,
  type Context,
  documented,
  type Help,
  type Judgement,
  notice,
  ok,
  storeOneApp,
  unknownBecause,
  wrong,
} from './check.ts';
import {
  type AppFacts,
  type AppScope,
  addressUnknown,
  type CredentialSet,
  commonAppOf,
  type Fact,
  type Facts,
  factOf,
  ifKnown,
  known,
  type Reader,
  UnknownFact,
  unknown,
  untold,
} from './facts.ts';
import { day, list, span } from './words.ts';

/**
 * @param callback the address at which the platform should send events
 * @param deployment the credentials of the deployment
 */
export async function readApp(
  set: CredentialSet,
  scope: AppScope,
  callback: string | undefined,
  deployment: Upstream['credentials'],
  { read }: Reader,
): Promise<AppFacts> {
  const { subject, workspace, upstream } = set;
  const { management } = upstream;
  const stored = await read(upstream.credentials);
  const shared = workspace === undefined ? undefined : ifKnown(await read(deployment));
  const secrets = stored.isKnown ? appSecrets(stored.value) : [];
  const token = await read(async () => known(stored) && management.tokenInfo());
  const owner = await read(async () => {
    if (known(stored) && secrets.length === 0) throw new UnknownFact(unknown('no app secret is stored'));
    return ownerOf(secrets, known(token).app_id, upstream, scope);
  });
  const subscription = await read(async () => {
    const app = known(owner);
    if (app === undefined) throw new UnknownFact(unknown('no app fits the app secret'));
    return (await management.subscriptions(app)).find(({ object }) => object === subscribedObject);
  });
  const handshake = await read(async () => {
    const verifyToken = known(stored).verify_token ?? '';
    if (callback === undefined) throw new UnknownFact(untold(addressUnknown));
    if (verifyToken === '') throw new UnknownFact(unknown('no verify token is stored'));
    return shakeHands({ url: callback, verifyToken });
  });
  return {
    ...{ ...scope, set, subject, workspace, token, handshake, subscription },
    stored: stored.isKnown
      ? factOf({
          hasAccessToken: stored.value.access_token !== '',
          appSecrets: secrets.length,
          formerSecrets: shared ? formerSecrets(secrets, appSecrets(shared)).length : 0,
          hasVerifyToken: (stored.value.verify_token ?? '') !== '',
        })
      : stored,
    secretOwner: owner.isKnown ? factOf(owner.value && { id: owner.value.id, name: owner.value.name }) : owner,
  };
}

/**
 * Finds the app that one of the secrets belongs to: the token's app or, if it is none of that one's, an app that gets
 * the events of an account.
 */
async function ownerOf(
  secrets: readonly string[],
  tokenApp: string | undefined,
  { management }: Upstream,
  { wabaIds }: AppScope,
): Promise<ProvenApp | undefined> {
  const own = tokenApp === undefined ? undefined : await provenApp(management, tokenApp, secrets);
  if (own) return own;
  const subscribed = await Promise.all(wabaIds.map((wabaId) => management.subscribedApps(wabaId).catch(() => [])));
  const ids = subscribed.flat().flatMap(({ whatsapp_business_api_data: app }) => app?.id ?? []);
  for (const id of new Set(ids)) {
    const found = id === tokenApp ? undefined : await provenApp(management, id, secrets);
    if (found) return found;
  }
  return undefined;
}

/** From so many days before its end on, a token counts as wrong. */
export const tokenEndsWithinDays = 14;

/** Subcode 463 says that a token has expired (Meta, "Handle errors", authentication error codes). */
const expired = 463;

const storeFor = ({ workspace }: AppFacts, { hint }: Context): Help => ({ command: setCommand(hint, workspace) });

const verifyTokenFor = ({ workspace }: AppFacts, { hint }: Context): Help => ({
  command: setCommand(hint, workspace, { generateVerifyToken: true }),
});

/** What an invalid token could do does not matter. */
function validToken(token: Fact<TokenInfo>): TokenInfo {
  const info = known(token);
  if (info.is_valid === false) throw new UnknownFact(unknown('the token is not valid'));
  return info;
}

const nameOf = ({ application, app_id }: TokenInfo) => `${application ?? ''} (${app_id ?? 'id unknown'})`.trim();

export const appChecks = {
  credentials: {
    title: 'stored credentials',
    says: 'the secret lacks the access token, the app secret or the verify token',
    remedy: documented('upstream set'),
    judge(app, context) {
      const { stored, workspace } = app;
      const store = storeFor(app, context);
      if (!stored.isKnown && stored.isMalformed) {
        return wrong(`${stored.because}. Store the credentials anew:`, store);
      }
      const { hasAccessToken, appSecrets: count, formerSecrets: former, hasVerifyToken } = known(stored);
      const missing = [
        ...(hasAccessToken ? [] : ['the access token, without which nothing can be sent']),
        ...(count > 0 ? [] : ['the app secret, without which every event is rejected']),
        ...(hasVerifyToken ? [] : ['the verify token, without which Meta accepts no address for events']),
      ];
      if (missing.length > 0) {
        // The first verify token is made together with the first of the others.
        const isVerifyTokenAlone = hasAccessToken && count > 0;
        return wrong(`Not stored yet: ${list(missing)}.`, isVerifyTokenAlone ? verifyTokenFor(app, context) : store);
      }
      if (former === 0) return ok('they are complete');
      return notice(
        'Events signed with a former app secret are still accepted, even if the deployment has dropped it. ' +
          'Once none arrive any more:',
        { command: setCommand(context.hint, workspace, { dropFormer: true }) },
      );
    },
  },
  token: {
    title: 'access token',
    says: 'the platform says that the token is invalid or has expired',
    remedy: `make a token of a system user, which does not expire, and store it with ${documented('upstream set')}`,
    judge(app, context) {
      const { token } = app;
      if (token.isKnown && token.value.is_valid !== false) return ok(`it belongs to the app ${nameOf(token.value)}`);
      if (!token.isKnown && token.error?.failure !== 'credentials') return unknownBecause(token.because);
      const { subcode, message } = (token.isKnown ? token.value.error : token.error) ?? {};
      const endedAt = (ifKnown(token)?.expires_at ?? 0) * 1000;
      const what =
        subcode === expired || (endedAt > 0 && endedAt <= context.all.at)
          ? `The access token has expired${endedAt > 0 ? `, on ${day(endedAt)}` : ''}: nothing can be sent.`
          : `The platform rejects the access token, so nothing can be sent${message ? ` (${message})` : ''}.`;
      return wrong(`${what} Make one of a system user, which does not expire, and store it:`, storeFor(app, context));
    },
  },
  'token-expiry': {
    title: 'expiry of the token',
    says: 'the token, or its access to data, ends within 14 days',
    remedy: `make a token of a system user, and store it with ${documented('upstream set')}`,
    judge(app, context) {
      const { expires_at = 0, data_access_expires_at = 0 } = validToken(app.token);
      const { at: now } = context.all;
      const ends = [
        { what: 'The access token expires', at: expires_at * 1000 },
        { what: "The token's access to data ends", at: data_access_expires_at * 1000 },
      ].filter(({ at }) => at > 0);
      const soon = ends.find(({ at }) => at - now < tokenEndsWithinDays * dayMs);
      if (soon) {
        const inTime = soon.at > now ? `in ${span(soon.at - now)}, on ${day(soon.at)}` : `on ${day(soon.at)}`;
        return wrong(
          `${soon.what} ${inTime}. Make a token of a system user, which does not expire, and store it:`,
          storeFor(app, context),
        );
      }
      return ok(
        ends.length > 0 ? `it works until ${day(Math.min(...ends.map(({ at }) => at)))}` : 'it does not expire',
      );
    },
  },
  permissions: {
    title: 'permissions',
    says: 'the token lacks `whatsapp_business_messaging` or `whatsapp_business_management`',
    remedy: `make a token with both permissions, and store it with ${documented('upstream set')}`,
    judge(app, context) {
      const info = validToken(app.token);
      if (info.scopes === undefined) return unknownBecause('the platform does not show them');
      const missing = missingPermissions(info);
      if (missing.length === 0) return ok(list(neededPermissions));
      return missing.map((scope) =>
        wrong(
          `The access token lacks the permission ${scope}. Make a token of the system user with it, and store it:`,
          storeFor(app, context),
        ),
      );
    },
  },
  'account-access': {
    title: 'access to the account',
    says: 'the token was not granted the business account of a workspace',
    remedy: 'assign the account to the system user in the Business Settings, and make a new token',
    judge(app, context) {
      const info = validToken(app.token);
      const missing = app.wabaIds.filter((id) => grantElsewhere(info, id) !== undefined);
      if (app.wabaIds.length === 0) return ok('no workspace has an account');
      if (missing.length === 0) return ok('it covers every account');
      return missing.map((id) =>
        wrong(
          `The access token was not granted the business account ${id}. In the Business Settings, assign the account to ` +
            'the system user, make a new token, and store it:',
          storeFor(app, context),
        ),
      );
    },
  },
  'app-secret': {
    title: 'app secret',
    says: 'the stored secret is not that of the app that the token belongs to, so events are rejected',
    remedy: `store token and secret of the same app with ${documented('upstream set')}`,
    judge(app, context) {
      const owner = known(app.secretOwner);
      const token = ifKnown(app.token);
      if (owner === undefined) {
        return wrong(
          `The stored app secret is not that of the app ${token ? nameOf(token) : 'that the token belongs to'}, so every ` +
            'event is rejected with 401. Store it:',
          storeFor(app, context),
        );
      }
      if (token?.app_id === undefined || token.app_id === owner.id) return ok('it is that of the app');
      return wrong(
        `The access token belongs to another app, ${nameOf(token)}, than the app secret: ${owner.name} (${owner.id}). ` +
          'Store both of one app:',
        storeFor(app, context),
      );
    },
  },
  'own-address': {
    title: "service's address",
    says: 'the service does not complete the handshake of events at its own address',
    remedy: `check the address; make a new verify token with ${documented('upstream set --generate-verify-token')}`,
    judge(app, context) {
      const { callback } = context.all.deployment;
      const { status, isComplete, reason } = known(app.handshake);
      if (isComplete) return ok(`${callback} completes the handshake`);
      if (status === null) {
        return wrong(
          `${callback} does not respond from here (${reason}). Check that the service, or the tunnel, runs.`,
        );
      }
      if (status === 403) {
        return wrong(
          `${callback} rejects the stored verify token (403). If it was stored a moment ago, run doctor again. ` +
            'Otherwise check that this address leads to this service. If it does, make a new verify token:',
          verifyTokenFor(app, context),
        );
      }
      return wrong(
        `${callback} responds to the handshake of events with ${status}. Check that it leads to this service.`,
      );
    },
  },
  'app-callback': {
    title: "app's callback",
    says: 'the app sends its events nowhere or elsewhere',
    remedy: `${documented('connect NUMBER --callback app')}; \`--fix\` if there is none`,
    judge(app, context) {
      const subscription = known(app.subscription);
      const callback = subscription?.callback_url;
      const ours = context.all.deployment.callback;
      if (!callback) {
        return inOrder(
          app,
          context,
          wrong('The app sends its events nowhere: no address is set for them.', subscribing(app, context)),
        );
      }
      if (ours === undefined) {
        return notice(`not checked, because the service's address is not known; events go to ${callback}`);
      }
      if (isSameUrl(callback, ours)) {
        if (subscription.active !== false) return ok(callback);
        const text = `The app sends no events: its subscription to ${callback} is not active.`;
        return inOrder(app, context, wrong(text, subscribing(app, context)));
      }
      const judgement = isCovered(app, ours, context.all)
        ? notice(
            `The app sends its events to ${callback}. Messages and calls come here by overrides, but the events of ` +
              'accounts, templates and Flows go there.',
            moving(app, context),
          )
        : wrong(`The app sends its events elsewhere: to ${callback}, not to ${ours}.`, moving(app, context));
      return inOrder(app, context, judgement);
    },
  },
  'app-fields': {
    title: 'subscribed fields',
    says: 'the app is not subscribed to `messages`, `calls` or `flows`, or to a field that the webhook of a workspace gets',
    remedy: `\`--fix\`, or ${documented('connect NUMBER')}`,
    judge(app, context) {
      const subscription = known(app.subscription);
      if (subscription === undefined) return unknownBecause('the app has no subscription');
      const { callback_url: callback } = subscription;
      const ours = context.all.deployment.callback;
      const isElsewhere = Boolean(callback) && (ours === undefined || !isSameUrl(callback, ours));
      const missing = missingFields(subscription, app, isElsewhere ? moving(app, context) : subscribing(app, context));
      if (missing.length === 0) return ok(list(subscription.fields));
      return missing.map((judgement) => inOrder(app, context, judgement));
    },
  },
} as const satisfies Record<string, Check<AppFacts>>;

/** Some number whose credentials these are, for the commands that need one. */
const numberOf = ({ position }: AppFacts, { numbers }: Facts) => numbers.find(({ app }) => app === position)?.number.id;

/** What comes before the command of a judgement. */
function inOrder(app: AppFacts, { all }: Context, judgement: Judgement): Judgement {
  const first = commonAppOf(app) === undefined ? storeOneApp : numberOf(app, all) === undefined && createFirst('app');
  return first && judgement.command ? { ...judgement, text: `${judgement.text} ${first}` } : judgement;
}

/** What points the app's events here. */
function moving(app: AppFacts, context: Context): Help {
  if (commonAppOf(app) === undefined) return storeFor(app, context);
  const { all, hint } = context;
  const number = numberOf(app, all);
  const user = all.accounts.find((one) => one.app === app.position)?.workspace;
  return { command: number === undefined ? createCommand(user, hint) : hint`connect ${number} --callback app` };
}

/** What subscribes the app to all that is wanted. The platform replaces the fields by those of the request. */
function subscribing(app: AppFacts, context: Context): Help {
  if (commonAppOf(app) === undefined) return storeFor(app, context);
  const number = numberOf(app, context.all);
  const fields = [...new Set([...(ifKnown(app.subscription)?.fields ?? []), ...wantedFields(app)])];
  return {
    ...(number !== undefined && { command: connectCommand(number, context) }),
    ...(context.all.deployment.callback !== undefined && {
      fix: { kind: 'subscribe-app', app: app.position, fields },
    }),
  };
}

/**
 * Whether an override sends the messages and calls of every number here. The app's callback gets all events for which
 * neither an account nor a number has one of its own.
 */
function isCovered({ position }: AppFacts, ours: string, facts: Facts): boolean {
  const own = facts.numbers.filter(({ app }) => app === position);
  return (
    own.length > 0 &&
    own.every(({ number }) => {
      const current = callbacksOf(number.id, facts);
      return isSameUrl(current.number || current.account, ours);
    })
  );
}

/** What is lost without the fields that the service itself reads. */
const fieldUse: Readonly<Record<OwnField, string>> = {
  messages: 'messages and statuses do not arrive',
  calls: 'calls do not arrive',
  flows: 'the service does not hear when the platform throttles or blocks a Flow',
};

/** What `connect` subscribes the app to: the fields of the service, and what the webhooks of workspaces want. */
const wantedFields = ({ webhooks }: AppFacts): string[] => [
  ...new Set([...ownFields, ...webhooks.flatMap((webhook) => fieldsFor(webhook))]),
];

/** Compares the fields that the app gets with those that `connect` would subscribe it to. */
function missingFields({ fields }: Subscription, app: AppFacts, help: Help): Judgement[] {
  const isNeeded = { messages: true, calls: app.hasCalling, flows: app.hasFlows };
  const missing = wantedFields(app).filter((field) => !fields.includes(field));
  const own = ownFields.filter((field) => missing.includes(field));
  const others = missing.filter((field) => !own.some((one) => one === field));
  const named = app.webhooks.filter(({ events }) => events !== undefined).flatMap((webhook) => fieldsFor(webhook));
  const unnamed = others.filter((field) => !named.includes(field));
  const lacks = (field: string) => `The app is not subscribed to the field ${field}`;
  return [
    ...own.map((field) => (isNeeded[field] ? wrong : notice)(`${lacks(field)}: ${fieldUse[field]}.`, help)),
    ...others
      .filter((field) => named.includes(field))
      .map((field) => wrong(`${lacks(field)}, which the webhook of a workspace names.`, help)),
    ...(unnamed.length > 0
      ? [notice(`The webhook of a workspace gets all events, but the app is not subscribed to ${list(unnamed)}.`, help)]
      : []),
  ];
}
