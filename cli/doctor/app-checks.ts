import { appSecrets } from '#shared/accounts/event-signature.ts';
import { permitsCalls } from '#shared/accounts/workspace.ts';
import { dayMs } from '#shared/base/time.ts';
import { isWorkspace } from '#shared/webhooks/subscriber.ts';
import { grantElsewhere, missingPermissions, neededPermissions } from '../platform/app-credentials.ts';
import { echoFieldsFor, fieldsFor, isSameUrl, ownFields } from '../platform/event-address.ts';
import type { TokenInfo } from '../platform/objects.ts';
import { type SetOptions, setCommand } from '../terminal/hints.ts';
import {
  type Check,
  type Context,
  day,
  type Help,
  type Judgement,
  list,
  notice,
  ok,
  span,
  unknownBecause,
  wrong,
} from './check.ts';
import { connectCommand, haveOverrides, moveCommand, numbersOf } from './connect-hints.ts';
import { ifKnown, Unknown } from './reads.ts';
import type { Scope } from './scopes.ts';
import type { AppSubject } from './subjects.ts';

/** From so many days before its end on, a token counts as wrong. */
const tokenEndsWithinDays = 14;

/** Subcode 463 says that a token has expired (Meta, "Handle errors", authentication error codes). */
const expired = 463;

/** The command that stores the credentials. */
const store = ({ workspace }: AppSubject, { hint }: Context, options?: SetOptions): Help => ({
  command: setCommand(hint, workspace, options),
});

/** The permissions of an invalid token do not matter. */
async function validToken({ token }: AppSubject): Promise<TokenInfo> {
  const info = await token();
  if (info.is_valid === false) throw new Unknown('the access token is not valid');
  return info;
}

const makeToken = 'Make one of a system user, which does not expire, and store it:';

const nameOf = ({ application, app_id }: TokenInfo) => `${application ?? ''} (${app_id ?? 'id unknown'})`.trim();

export const appChecks = {
  async credentials(app, context) {
    const stored = await app.stored().catch((error: unknown) => {
      if (error instanceof Unknown && error.isMalformed) return error.message;
      throw error;
    });
    if (typeof stored === 'string') return wrong(`${stored}. Store the credentials anew:`, store(app, context));
    const [hasToken, hasSecret] = [stored.access_token !== '', appSecrets(stored).length > 0];
    const missing = [
      ...(hasToken ? [] : ['the access token, without which nothing can be sent']),
      ...(hasSecret ? [] : ['the app secret, without which every event is rejected']),
      ...(stored.verify_token ? [] : ['the verify token, without which Meta accepts no address for events']),
    ];
    if (missing.length > 0) {
      // The first verify token is made together with the first of the others.
      const help = store(app, context, { generateVerifyToken: hasToken && hasSecret });
      return wrong(`Not stored yet: ${list(missing)}.`, help);
    }
    if ((await app.formerSecrets()).length === 0) return ok('they are complete');
    const text = 'Events signed with a former app secret are still accepted. Once none arrive any more:';
    return notice(text, store(app, context, { dropFormer: true }));
  },
  async token(app, context) {
    const info = await app.token();
    if (info.is_valid !== false) return ok(`it belongs to the app ${nameOf(info)}`);
    const { subcode, message } = info.error ?? {};
    const endedAt = (info.expires_at ?? 0) * 1000;
    const what =
      subcode === expired || (endedAt > 0 && endedAt <= context.now())
        ? `The access token has expired${endedAt > 0 ? `, on ${day(endedAt)}` : ''}: nothing can be sent.`
        : `The platform rejects the access token, so nothing can be sent${message ? ` (${message})` : ''}.`;
    return wrong(`${what} ${makeToken}`, store(app, context));
  },
  async 'token-expiry'(app, context) {
    const { expires_at = 0, data_access_expires_at = 0 } = await validToken(app);
    const ends = [
      { what: 'The access token expires', at: expires_at * 1000 },
      { what: "The token's access to data ends", at: data_access_expires_at * 1000 },
    ].filter(({ at }) => at > 0);
    const [first] = ends.toSorted((one, other) => one.at - other.at);
    if (first === undefined) return ok('it does not expire');
    const left = first.at - context.now();
    if (left >= tokenEndsWithinDays * dayMs) return ok(`it works until ${day(first.at)}`);
    const inTime = left > 0 ? `in ${span(left)}, on ${day(first.at)}` : `on ${day(first.at)}`;
    return wrong(`${first.what} ${inTime}. ${makeToken}`, store(app, context));
  },
  async permissions(app, context) {
    const info = await validToken(app);
    if (info.scopes === undefined) return unknownBecause('the platform does not show them');
    const missing = missingPermissions(info);
    if (missing.length === 0) return ok(list(neededPermissions));
    const text = (scope: string) =>
      `The access token lacks the permission ${scope}. Make one that has it, and store it:`;
    return missing.map((scope) => wrong(text(scope), store(app, context)));
  },
  async 'account-access'(app, context) {
    const info = await validToken(app);
    const missing = app.wabaIds.filter((id) => grantElsewhere(info, id) !== undefined);
    if (missing.length === 0) return ok(app.wabaIds.length > 0 ? 'it covers every account' : 'there is no account');
    const remedy = 'In the Business Settings, assign it to the system user, make a new token, and store it:';
    return missing.map((id) =>
      wrong(`The access token was not granted the business account ${id}. ${remedy}`, store(app, context)),
    );
  },
  async 'app-secret'(app, context) {
    const [owner, token] = [await app.secretOwner(), await app.token()];
    if (owner === undefined) {
      const text = `The stored app secret is not that of the app ${nameOf(token)}: every event is rejected. Store it:`;
      return wrong(text, store(app, context));
    }
    if (token.app_id === owner.id) return ok('it is that of the app');
    const apps = `another app, ${nameOf(token)}, than the app secret: ${owner.name} (${owner.id})`;
    return wrong(`The access token belongs to ${apps}. Store both of one app:`, store(app, context));
  },
  async 'own-address'(app, context) {
    const { callback } = context;
    const { status, isComplete, reason } = await app.handshake();
    if (isComplete) return ok(`${callback} completes the handshake`);
    if (status === null) {
      return wrong(`${callback} does not respond from here (${reason}). Does the service, or the tunnel, run?`);
    }
    if (status !== 403) return wrong(`${callback} responds with ${status}. Check that it leads to this service.`);
    const text = `${callback} rejects the stored verify token (403). If it was stored a moment ago, run doctor again.`;
    const remedy = 'Otherwise check that the address leads to this service. If it does, make a new verify token:';
    return wrong(`${text} ${remedy}`, store(app, context, { generateVerifyToken: true }));
  },
  async 'app-callback'(app, context) {
    const { callback_url: current, active } = (await app.subscription()) ?? {};
    if (!current) return wrong('The app sends its events nowhere.', await subscriptionHelp(app, context));
    const { callback: ours } = context;
    if (isSameUrl(current, ours)) {
      if (active !== false) return ok(current);
      const text = `The app sends no events: its subscription to ${current} is not active.`;
      return wrong(text, await subscriptionHelp(app, context));
    }
    const numbers = numbersOf(app, context);
    const help = { command: moveCommand(numbers, 'app', context) };
    if (!(await haveOverrides(numbers, 'app', ours))) {
      return wrong(`The app sends its events elsewhere: to ${current}, not to ${ours}.`, help);
    }
    const others = 'but the events of accounts, templates and Flows go there';
    return notice(`The app sends its events to ${current}. Overrides bring messages and calls here, ${others}.`, help);
  },
  async 'app-fields'(app, context) {
    const subscription = await app.subscription();
    if (subscription === undefined) return unknownBecause('the app has no subscription');
    const { callback_url: current, fields } = subscription;
    const isHere = !current || isSameUrl(current, context.callback);
    const help = isHere
      ? await subscriptionHelp(app, context)
      : { command: moveCommand(numbersOf(app, context), 'app', context) };
    const judgements = judgeFields(fields, app.scopes, help);
    return judgements.length > 0 ? judgements : ok(list(fields));
  },
} as const satisfies Record<string, Check<AppSubject>>;

/** What subscribes the app to all that is wanted. The platform replaces the fields by those of the request. */
async function subscriptionHelp(app: AppSubject, context: Context): Promise<Help> {
  const { callback: url } = context;
  const [proven, stored, subscription] = await Promise.all([
    app.common(),
    ifKnown(app.stored),
    ifKnown(app.subscription),
  ]);
  const command = await connectCommand(numbersOf(app, context), context);
  const verifyToken = stored?.verify_token;
  if (proven === undefined || !verifyToken) return { command };
  const fields = new Set([
    ...(subscription?.fields ?? []),
    ...wantedFields(webhooksOf(app.scopes)),
    ...echoesFor(app.scopes),
  ]);
  const missing = [...fields].filter((field) => !subscription?.fields.includes(field));
  const isSent = Boolean(subscription?.callback_url) && subscription?.active !== false;
  const changes = [
    ...(missing.length > 0 ? [`subscribe the app to ${missing.join(', ')}`] : []),
    ...(isSent ? [] : [`send the app's events to ${url}`]),
  ];
  const apply = () => app.management.subscribeApp(proven, { url, verifyToken }, [...fields]);
  return { command, fix: { what: changes.join(', and '), apply } };
}

/** The webhooks of the workspaces themselves, which may want further fields. */
const webhooksOf = (scopes: readonly Scope[]) =>
  scopes
    .flatMap(({ settings }) => settings)
    .filter(({ subscriber }) => isWorkspace(subscriber))
    .map(({ targets }) => targets.webhook);

type Webhooks = ReturnType<typeof webhooksOf>;

/** What `connect` subscribes the app to: the fields of the service, and what the webhooks of workspaces want. */
const wantedFields = (webhooks: Webhooks) => new Set([...ownFields, ...webhooks.flatMap(fieldsFor)]);

const echoesFor = (scopes: readonly Scope[]) =>
  scopes
    .flatMap(({ settings }) => settings)
    .filter(({ subscriber }) => !isWorkspace(subscriber))
    .flatMap(echoFieldsFor);

/** An app needs one of the fields of echoes or both, depending on where staff write. */
function judgeEchoes(fields: readonly string[], scopes: readonly Scope[], help: Help): Judgement[] {
  const wanted = echoesFor(scopes);
  if (wanted.length === 0 || wanted.some((field) => fields.includes(field))) return [];
  const text = `A target of a number asks for echoes, but the app is not subscribed to ${list([...new Set(wanted)])}.`;
  return [wrong(text, help)];
}

/** Compares the fields that the app gets with those that `connect` would subscribe it to. */
function judgeFields(fields: readonly string[], scopes: readonly Scope[], help: Help): Judgement[] {
  const hasCalling = scopes.some(
    ({ workspace, numbers }) => permitsCalls(workspace) && numbers.some(({ calling_enabled }) => calling_enabled),
  );
  const hasFlows = scopes.some(({ flows }) => flows.length > 0);
  const webhooks = webhooksOf(scopes);
  const named = wantedFields(webhooks.filter(({ events }) => events !== undefined));
  const missing = [...wantedFields(webhooks)].filter((field) => !fields.includes(field));
  const unnamed = missing.filter((field) => !named.has(field));
  const judgeField = (field: string): Judgement => {
    const text = `The app is not subscribed to the field ${field}`;
    if (field === 'messages') return wrong(`${text}: messages and statuses do not arrive.`, help);
    if (field === 'calls') return (hasCalling ? wrong : notice)(`${text}: calls do not arrive.`, help);
    if (field === 'flows') return (hasFlows ? wrong : notice)(`${text}: throttled Flows do not show.`, help);
    return wrong(`${text}, which the webhook of a workspace names.`, help);
  };
  const judgements = [
    ...missing.filter((field) => named.has(field)).map(judgeField),
    ...judgeEchoes(fields, scopes, help),
  ];
  if (unnamed.length === 0) return judgements;
  const text = `The webhook of a workspace gets all events, but the app is not subscribed to ${list(unnamed)}.`;
  return [...judgements, notice(text, help)];
}
