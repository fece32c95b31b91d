import { type Handshake, shakeHands } from '#cli/platform/handshake.ts';
import { subscribedObject } from '#cli/platform/management.ts';
import type { Subscription, TokenInfo } from '#cli/platform/objects.ts';
import { type ProvenApp, provenApp } from '#cli/platform/proven-app.ts';
import { appSecrets, formerSecrets } from '#shared/domain/access/upstream-credentials.ts';
import type { TargetRecord } from '#shared/domain/subscribers/target.ts';
import type { Upstream } from '../../upstream.ts';
import { addressUnknown, derive, type Fact, type Reader, unknown, untold } from './fact.ts';

/** One set of credentials: that of the deployment, or a workspace's own. */
export interface CredentialSet {
  subject: string;
  /** The workspace that has these for itself. */
  workspace?: string;
  upstream: Upstream;
}

/** What belongs to a set of credentials and decides what the platform sends. */
export interface AppScope {
  /** The business accounts whose workspaces use the credentials. */
  wabaIds: readonly string[];
  /** A number of each kind needs the field of its events. */
  hasCalling: boolean;
  hasFlows: boolean;
  /** The webhooks of these workspaces, which may want further fields. */
  webhooks: readonly Pick<TargetRecord, 'url' | 'events'>[];
}

/** Credentials and the app that they belong to. Secrets themselves are not among the facts. */
export interface AppFacts extends AppScope {
  set: CredentialSet;
  subject: string;
  workspace: string | undefined;
  stored: Fact<StoredCredentials>;
  token: Fact<TokenInfo>;
  /** The app whose secret is stored; undefined if it is none of those that are known. */
  secretOwner: Fact<SecretOwner | undefined>;
  /** What the service responds with to the handshake, with the stored verify token. */
  handshake: Fact<Handshake>;
  /** The app's subscription to the events of business accounts; undefined if there is none. */
  subscription: Fact<Subscription | undefined>;
}

export interface StoredCredentials {
  hasAccessToken: boolean;
  appSecrets: number;
  /** Former ones of a workspace that are not the deployment's. */
  formerSecrets: number;
  hasVerifyToken: boolean;
}

export type SecretOwner = Pick<ProvenApp, 'id' | 'name'>;

/**
 * @param callback the address at which the platform should send events
 * @param deployment the credentials of the deployment
 */
export async function readApp(
  set: CredentialSet,
  scope: AppScope,
  callback: string | undefined,
  deployment: Upstream['credentials'],
  reader: Reader,
): Promise<AppFacts> {
  const { read, readFrom } = reader;
  const { subject, workspace, upstream } = set;
  const { management, credentials } = upstream;
  const stored = await read(credentials);
  const shared = await read(deployment);
  const formerOf = (own: readonly string[]) =>
    workspace !== undefined && shared.isKnown ? formerSecrets(own, appSecrets(shared.value)) : [];
  const summary = derive(stored, (value) => ({
    hasAccessToken: value.access_token !== '',
    appSecrets: appSecrets(value).length,
    formerSecrets: formerOf(appSecrets(value)).length,
    hasVerifyToken: (value.verify_token ?? '') !== '',
  }));
  const token = await readFrom(stored, () => management.tokenInfo());
  const secrets = stored.isKnown ? appSecrets(stored.value) : [];
  const owner =
    stored.isKnown && secrets.length === 0
      ? unknown('no app secret is stored')
      : await readFrom(token, ({ app_id }) => ownerOf(secrets, app_id, upstream, scope));
  const subscription = await readFrom(owner, async (app) => {
    if (app === undefined) return undefined;
    const all = await management.subscriptions(app);
    return all.find(({ object }) => object === subscribedObject);
  });
  const verifyToken = stored.isKnown ? (stored.value.verify_token ?? '') : '';
  const handshake = await handshakeWith(verifyToken, callback, reader);
  return {
    ...scope,
    set,
    subject,
    workspace,
    stored: summary,
    token,
    secretOwner: derive(owner, (app) => app && { id: app.id, name: app.name }),
    handshake: stored.isKnown ? handshake : stored,
    subscription: owner.isKnown && owner.value === undefined ? unknown('no app fits the app secret') : subscription,
  };
}

async function handshakeWith(verifyToken: string, url: string | undefined, { read }: Reader): Promise<Fact<Handshake>> {
  if (url === undefined) return untold(addressUnknown);
  if (verifyToken === '') return unknown('no verify token is stored');
  return read(() => shakeHands({ url, verifyToken }));
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

/** The app whose events we can verify or, if no app fits the secret, the app of the token. */
export function appIdOf(app: AppFacts | undefined): string | undefined {
  const owner = app?.secretOwner.isKnown ? app.secretOwner.value?.id : undefined;
  return owner ?? (app?.token.isKnown ? app.token.value.app_id : undefined);
}

/** The app to which both the access token and the app secret belong; only what concerns it can be changed safely. */
export function commonAppOf({ token, secretOwner }: AppFacts): SecretOwner | undefined {
  const owner = secretOwner.isKnown ? secretOwner.value : undefined;
  return token.isKnown && owner?.id === token.value.app_id ? owner : undefined;
}
