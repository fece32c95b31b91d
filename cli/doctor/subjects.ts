import { formerSecrets } from '#shared/accounts/credentials-store.ts';
import { appSecrets } from '#shared/accounts/event-signature.ts';
import { permitsCalls, type Workspace } from '#shared/accounts/workspace.ts';
import { lazy } from '#shared/base/cache.ts';
import { limitTo } from '#shared/base/concurrency.ts';
import { receivedStatus } from '#shared/delivery/delivery.ts';
import { takeDeliveries } from '#shared/delivery/read-deliveries.ts';
import { ensureKeys, readRegistration, registerKey } from '#shared/flow-endpoint/flow-keys.ts';
import type { DynamicFlow } from '#shared/flow-endpoint/make-exchange.ts';
import { requestVersion } from '#shared/flow-json/document/versions.ts';
import { eventsPath, flowEndpointPath, pathOf } from '#shared/http/path.ts';
import {
  type DeliverySettings,
  newTarget,
  type PhoneNumber,
  type Target,
  targetsOf,
} from '#shared/webhooks/subscriber.ts';
import { type ProvenApp, provenApp } from '../platform/app-credentials.ts';
import { shakeHands } from '../platform/event-address.ts';
import type { Management } from '../platform/management.ts';
import { keyUseOf } from '../platform/number-state.ts';
import type { Service, Upstream } from '../service.ts';
import { ping } from './ping.ts';
import { ifKnown, type Read, type Reader, readerWithin, Unknown } from './reads.ts';
import { findScopes, type Scope } from './scopes.ts';

/** All that doctor looks at: what is known of each subject, and the reads that its checks can ask for. */
export type Subjects = Awaited<ReturnType<typeof openSubjects>>;
export type DeploymentSubject = ReturnType<typeof openDeployment>;
export type AppSubject = ReturnType<typeof openApp>;
export type AccountSubject = ReturnType<typeof openAccount>;
export type NumberSubject = ReturnType<typeof openNumber>;
export type FlowSubject = ReturnType<typeof openFlow>;
export type TargetSubject = ReturnType<typeof openTargets>[number];

/** The arguments for opening a subject. */
interface Place {
  service: Service;
  callback: string;
  read: Reader;
}

/** More reads at once would only wait for each other, or reach limits of the platform. */
const readsAtOnce = 8;

/**
 * Everything that concerns one number or, without one, the whole deployment with its active numbers. Throws if the
 * table cannot be read.
 */
export async function openSubjects(numberId: string | undefined, service: Service) {
  const limited = limitTo(readsAtOnce);
  const callback = new URL(eventsPath, service.baseUrl).href;
  const place = { service, callback, read: readerWithin(limited) };
  const shared = service.upstream();
  const scopes = await findScopes(numberId, service, limited);
  const byCredentials = Map.groupBy(scopes, ({ workspace: { id, own_credentials } }) => (own_credentials ? id : ''));
  if (scopes.length === 0) byCredentials.set('', []);
  const opened = [...byCredentials.values()].map((users) => openUsers(users, shared, place));
  return {
    /** The address at which the platform should send events. */
    callback,
    deployment: openDeployment(shared, scopes, place),
    /** One for each set of credentials. */
    apps: opened.map(({ app }) => app),
    accounts: opened.flatMap(({ accounts }) => accounts),
    numbers: opened.flatMap(({ numbers }) => numbers),
    /** Those in use that ask an endpoint for data. */
    flows: opened.flatMap(({ flows }) => flows),
    targets: scopes.flatMap((scope) => scope.settings.flatMap((settings) => openTargets(settings, scope, place))),
  };
}

/** The subjects of all workspaces that use the same credentials. */
function openUsers(users: readonly Scope[], shared: Upstream, place: Place) {
  const owner = users.map(({ workspace }) => workspace).find(({ own_credentials }) => own_credentials);
  const upstream = owner ? place.service.upstream(owner) : shared;
  const app = openApp(owner, users, { upstream, shared }, place);
  // Workspaces can share an account.
  const accounts = app.wabaIds.map((wabaId) => {
    const name = users.find(({ workspace }) => workspace.waba_id === wabaId)?.workspace.name;
    return openAccount(wabaId, `Business account ${wabaId} (${name})`, app, place);
  });
  const numbers = users.flatMap((scope) => {
    const account = accounts.find(({ wabaId }) => wabaId === scope.workspace.waba_id);
    return scope.numbers.map((number) => openNumber(number, scope, { app, account, upstream }, place));
  });
  const flows = users.flatMap((scope) => {
    const key = place.read(() => workspaceKey(scope, upstream));
    return scope.flows.map((flow) => openFlow(flow, scope, { key, upstream }, place));
  });
  return { app, accounts, numbers, flows };
}

function openDeployment(upstream: Upstream, scopes: readonly Scope[], { service, read }: Place) {
  const { surroundings, eventNotes, targets } = service;
  return {
    subject: 'Service',
    scopes,
    surroundings,
    graphVersion: upstream.graphVersion,
    clockOffset: read(() => upstream.management.clockOffset()),
    deadLetters: surroundings.readDeadLetters && read(surroundings.readDeadLetters),
    /** Numbers that events named and that have not been created since. */
    unknownNumbers: read(async () => {
      const notes = await eventNotes.unknownNumbers();
      const found = await Promise.all(notes.map(({ phone_number_id }) => targets.findByPhoneNumberId(phone_number_id)));
      return notes.filter((_, index) => found[index] === undefined);
    }),
  };
}

/** Credentials and the app that they belong to. */
function openApp(
  owner: Workspace | undefined,
  scopes: readonly Scope[],
  { upstream, shared }: { upstream: Upstream; shared: Upstream },
  { callback, read }: Place,
) {
  const { management } = upstream;
  const wabaIds = [...new Set(scopes.flatMap(({ workspace }) => workspace.waba_id ?? []))];
  const stored = read(() => upstream.credentials());
  const token = read(() => management.tokenInfo(), stored);
  /** The app whose secret is stored; undefined if it is none of those that are known. */
  const secretOwner = read(
    async (credentials, { app_id }) => ownerOf(appSecrets(credentials), app_id, management, wabaIds),
    stored,
    token,
  );
  return {
    subject: owner ? `Credentials of workspace ${owner.name}` : 'Credentials of the deployment',
    /** The workspace that has these for itself. */
    workspace: owner?.id,
    scopes,
    wabaIds,
    management,
    stored,
    token,
    secretOwner,
    /** Former secrets of a workspace that are not the deployment's. */
    formerSecrets: read(async (own) => {
      if (!owner) return [];
      return formerSecrets(appSecrets(own), appSecrets(await shared.credentials()));
    }, stored),
    /** The app whose events we can verify or, if no app fits the secret, the app of the token. */
    id: lazy(async () => (await ifKnown(secretOwner))?.id ?? (await ifKnown(token))?.app_id),
    /** The app of both access token and app secret; only what concerns it can be changed safely. */
    common: lazy(async () => {
      const [proven, info] = await Promise.all([ifKnown(secretOwner), ifKnown(token)]);
      return proven?.id === info?.app_id ? proven : undefined;
    }),
    /** What the service responds with to the handshake, with the stored verify token. */
    handshake: read(async ({ verify_token: verifyToken }) => {
      if (!verifyToken) throw new Unknown('no verify token is stored');
      return shakeHands({ url: callback, verifyToken });
    }, stored),
    /** The app's subscription to the events of business accounts; undefined if there is none. */
    subscription: read(async (proven) => {
      if (!proven) throw new Unknown('no app fits the app secret');
      return management.subscription(proven);
    }, secretOwner),
  };
}

/**
 * Finds the app that one of the secrets belongs to: the token's app or, if it is none of that one's, an app that gets
 * the events of an account.
 */
async function ownerOf(
  secrets: readonly string[],
  tokenApp: string | undefined,
  management: Management,
  wabaIds: readonly string[],
): Promise<ProvenApp | undefined> {
  if (secrets.length === 0) throw new Unknown('no app secret is stored');
  if (tokenApp === undefined) throw new Unknown('the platform does not say which app the token belongs to');
  const own = await provenApp(management, tokenApp, secrets);
  if (own) return own;
  const subscribed = await Promise.all(wabaIds.map((wabaId) => management.subscribedApps(wabaId).catch(() => [])));
  const ids = subscribed.flat().flatMap(({ id }) => id ?? []);
  for (const id of new Set(ids)) {
    const found = id === tokenApp ? undefined : await provenApp(management, id, secrets);
    if (found) return found;
  }
  return undefined;
}

/** A business account, as one set of credentials sees it. */
function openAccount(wabaId: string, subject: string, app: AppSubject, { read }: Place) {
  const { management } = app;
  const subscribedApps = read(() => management.subscribedApps(wabaId));
  return {
    subject,
    wabaId,
    app,
    subscribedApps,
    account: read(() => management.businessAccount(wabaId)),
    /** The subscription of our app. */
    own: read(async (apps, ourId) => apps.find(({ id }) => id === ourId), subscribedApps, app.id),
    /** The share of the calls of Graph that is used, in percent. */
    usage: read(() => management.usage(wabaId)),
  };
}

const subjectOf = ({ display_phone_number, id }: PhoneNumber) => `Number ${display_phone_number} (${id})`;

function openNumber(
  number: PhoneNumber,
  { workspace, flows }: Scope,
  of: { app: AppSubject; account: AccountSubject | undefined; upstream: Upstream },
  { service, read }: Place,
) {
  const { app, account, upstream } = of;
  const { management, flowKeys, encryption } = upstream;
  const { phone_number_id } = number;
  return {
    subject: subjectOf(number),
    number,
    app,
    account,
    permitsCalls: number.calling_enabled && permitsCalls(workspace),
    keyUse: keyUseOf(flows),
    platform: read(() => management.phoneNumber(phone_number_id)),
    calling: read(() => management.calling.read(phone_number_id)),
    key: read(async () => {
      const { keys } = await flowKeys.read(workspace.id);
      return { registration: await readRegistration(number, keys, encryption), workspaceHasKey: keys.length > 0 };
    }),
    registerKey: async () =>
      registerKey(number, await ensureKeys(workspace.id, { flowKeys, now: service.now }), encryption),
    lastEvent: read(() => service.eventNotes.get(number.id)),
  };
}

function openFlow(
  flow: DynamicFlow,
  { workspace, numbers }: Scope,
  { key, upstream }: { key: Read<string>; upstream: Upstream },
  { callback, read }: Place,
) {
  const platform = read(() => upstream.management.flow(flow.wa_id));
  /** Where the platform should send its exchanges. */
  const address = new URL(pathOf(flowEndpointPath, { flow: flow.id }), callback).href;
  return {
    subject: `Flow ${flow.name} (${workspace.name})`,
    /** Only the key of an active number could encrypt a ping. */
    hasNumber: numbers.length > 0,
    flow,
    address,
    platform,
    /** The response to a ping that goes the way of a phone's request. */
    ping: read(
      async (publicKey, seen) => {
        const [secret] = appSecrets(await upstream.credentials());
        if (secret === undefined) throw new Unknown('no app secret is stored to sign with');
        return ping({ url: address, publicKey, secret, version: requestVersion(seen?.data_api_version) });
      },
      key,
      () => ifKnown(platform),
    ),
  };
}

/** The public key that the numbers of a workspace share: that of the first number with one. */
async function workspaceKey({ numbers }: Scope, { encryption }: Upstream): Promise<string> {
  for (const { phone_number_id } of numbers) {
    const registered = await encryption.registeredKey(phone_number_id);
    if (typeof registered === 'object') return registered.publicKey;
  }
  throw new Unknown('no number of the workspace has a key');
}

function openTargets(settings: DeliverySettings, { workspace, numbers }: Scope, place: Place) {
  const { subscriber, targets } = settings;
  const { service, read } = place;
  const number = numbers.find(({ id }) => id === subscriber.id);
  return targetsOf(settings).map((target) => ({
    subject: number ? subjectOf(number) : `Workspace ${workspace.name}`,
    subscriber,
    target,
    record: targets[target] ?? newTarget(),
    /** When a delivery got the status 200 last, in epoch milliseconds. */
    lastSuccess: read(() => lastSuccess(subscriber.id, target, service)),
  }));
}

async function lastSuccess(subscriber: string, target: Target, { deliveries, now }: Service) {
  const of = { subscriber, targets: [target], filter: { state: 'delivered' } } as const;
  const search = deliveries.search({ ...of, order: 'newest-first', wanted: 1 });
  const { deliveries: found } = await takeDeliveries(search, 1, { now, isNarrow: true });
  return found[0]?.attempts.findLast(({ status }) => status === receivedStatus)?.at;
}
