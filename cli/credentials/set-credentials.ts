import { randomBytes } from 'node:crypto';
import type { Credentials } from '#shared/accounts/credentials-store.ts';
import { appSecrets } from '#shared/accounts/event-signature.ts';
import { hashToken } from '#shared/accounts/token.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { MalformedCredentials } from '#shared/aws/versioned-secret.ts';
import { isObject, own, parseJson } from '#shared/base/json.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { checkCredentials } from '../platform/app-credentials.ts';
import type { Service, Upstream } from '../service.ts';
import { describeFailure } from '../terminal/describe-failure.ts';
import { Rejection, UsageError } from '../terminal/errors.ts';
import { type SetOptions, setCommand } from '../terminal/hints.ts';
import type { Result } from '../terminal/render.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Stores credentials of the deployment, or of a workspace, that a person or a script enters. */
export async function setCredentials(
  service: Service,
  workspace: Workspace | undefined,
  options: SetOptions,
  source: ValueSource,
): Promise<Result> {
  const { unchecked = false, dropFormer = false, generateVerifyToken = false } = options;
  const upstream = service.upstream(workspace);
  const stored = await upstream.secret.read();
  const before = readValues(stored?.values);
  const entered = await enterValues(source, generateVerifyToken);
  const isChange = Object.keys(entered).length > 0 || dropFormer || generateVerifyToken;
  if (!isChange) throw new UsageError('Nothing was entered, so nothing was changed.');

  const generated = verifyTokenFor(before, entered.verify_token, generateVerifyToken);
  const changes = generated === undefined ? entered : { ...entered, verify_token: generated };
  const isNewApp = entered.app_secret !== undefined;
  const former = isNewApp ? await secretsUntilNow(service, workspace, before) : before.app_secrets;
  const after = changedValues({ ...before, app_secrets: former }, changes, dropFormer);
  // A verify token is ours: the platform knows nothing about it.
  const concernsPlatform = isNewApp || entered.access_token !== undefined || dropFormer;
  if (concernsPlatform && !unchecked) await check(service, upstream, workspace, after);

  if (workspace) await enterVerifyToken(service, workspace, after);
  if (!(await upstream.secret.replace(stored, { ...stored?.values, ...membersOf(after) }))) {
    throw new Rejection('Somebody else changed the credentials at the same time. Look at them, then try again.');
  }
  if (workspace) {
    await service.workspaces.setOwnCredentials(workspace.id, true);
    if (before.verify_token !== after.verify_token) await removeVerifyToken(service, before.verify_token);
  }
  return {
    value: {
      ...credentialsView(upstream.secret.name, after),
      ...(generated && options.showVerifyToken && { new_verify_token: generated }),
    },
    note: noteOn(service, workspace, after, generated !== undefined),
  };
}

/** Lets no workspace be found by this verify token any more. */
export async function removeVerifyToken({ verifyTokens }: Service, token: string | undefined): Promise<void> {
  if (token !== undefined) await verifyTokens.remove(hashToken(token));
}

function verifyTokenFor({ verify_token }: StoredValues, entered: string | undefined, isWanted: boolean) {
  if (isWanted && entered !== undefined) {
    throw new UsageError('Enter a verify token or give --generate-verify-token, not both.');
  }
  return isWanted || (verify_token ?? entered) === undefined ? randomBytes(24).toString('base64url') : undefined;
}

/**
 * The app secrets until now: the stored ones and, for a workspace with numbers, those that it uses. They are the
 * deployment's if it has none of its own: with these, the platform signs its events until the new app is subscribed.
 */
async function secretsUntilNow(
  { upstream, numbers }: Service,
  workspace: Workspace | undefined,
  { app_secrets }: StoredValues,
): Promise<readonly string[]> {
  if (workspace === undefined || (await numbers.listByWorkspace(workspace.id)).length === 0) return app_secrets;
  try {
    return [...app_secrets, ...appSecrets(await upstream(workspace).credentials())];
  } catch (error) {
    // With malformed credentials, it has used none.
    if (error instanceof MalformedCredentials && error.workspace === workspace.id) return [];
    throw error;
  }
}

/** Asks the platform whether the values are valid and belong together. */
async function check(
  { upstream: open }: Service,
  upstream: Upstream,
  workspace: Workspace | undefined,
  values: StoredValues,
): Promise<void> {
  const anyway = 'Nothing was stored. To store it without a check, add --unchecked.';
  const shared: Credentials = workspace ? await open().credentials() : { access_token: '' };
  const accessToken = values.access_token ?? shared.access_token;
  const [newest = appSecrets(shared)[0] ?? ''] = values.app_secrets;
  if (accessToken === '') throw new Rejection(`Without an access token, nothing can be checked. ${anyway}`);
  try {
    const credentials = { access_token: accessToken, app_secret: newest };
    await checkCredentials(upstream.managementWith(accessToken), credentials, workspace?.waba_id ?? null);
  } catch (error) {
    if (error instanceof Rejection) throw new Rejection(`${error.message} ${anyway}`);
    if (!(error instanceof UpstreamError)) throw error;
    throw new Rejection(`The credentials could not be checked. ${describeFailure(error)} ${anyway}`);
  }
}

/** Enters the verify token first: if it is that of another workspace, nothing may be stored. */
async function enterVerifyToken(service: Service, { id }: Workspace, { verify_token = '' }: StoredValues) {
  if (await service.verifyTokens.enter(hashToken(verify_token), id)) return;
  throw new Rejection('Another workspace has this verify token. Leave it empty to get a new one.');
}

function noteOn(
  service: Service,
  workspace: Workspace | undefined,
  { app_secrets }: StoredValues,
  isGenerated: boolean,
) {
  const drop = setCommand(service.hint, workspace?.id, { dropFormer: true });
  const former = `Events signed with a former app secret are still accepted. Once none arrive any more: ${drop}`;
  return [
    'Stored. Running functions use it within five minutes.',
    ...(isGenerated ? ['The verify token is new. The command "connect" sends it to Meta.'] : []),
    ...(workspace?.waba_id === null ? ['The workspace has no business account, so it gets no events yet.'] : []),
    ...(app_secrets.length > 1 ? [former] : []),
  ].join(' ');
}

/** The values that a person enters, and how people call them. */
const titles = { access_token: 'Access token', app_secret: 'App secret', verify_token: 'Verify token' } as const;

type ValueName = keyof typeof titles;

const names = Object.keys(titles) as ValueName[];

/** The credentials that a person enters. What is absent stays as it is. */
type EnteredValues = Partial<Record<ValueName, string>>;

/** The stored values. An empty one has not been entered yet. */
export interface StoredValues {
  access_token?: string | undefined;
  /** Newest first. The former ones are accepted until they are dropped. */
  app_secrets: readonly string[];
  verify_token?: string | undefined;
}

/** Where values come from: a person at a terminal, or a script on standard input. Never the command line. */
export interface ValueSource extends Pick<Terminal, 'isInteractive' | 'askSecret'> {
  /** Reads the whole standard input. */
  readInput(): Promise<string>;
}

/**
 * Asks a person for each value, or takes JSON from a script. Empty values are left out, and none is quoted in an error.
 *
 * @param isGenerated whether the verify token is not asked for, because a new one is made
 */
async function enterValues(source: ValueSource, isGenerated: boolean): Promise<EnteredValues> {
  const values: Record<string, unknown> = {};
  if (source.isInteractive) {
    for (const name of names.filter((each) => each !== 'verify_token' || !isGenerated)) {
      values[name] = await source.askSecret(`${titles[name]} (is not shown; empty: leave it as it is): `);
    }
  } else {
    Object.assign(values, parseInput((await source.readInput()).trim()));
  }
  const entered: EnteredValues = {};
  for (const name of names) {
    const { [name]: value = '' } = values;
    if (typeof value !== 'string' || !/^[!-~]{0,4096}$/.test(value.trim())) {
      throw new UsageError(`${titles[name]}: it must be letters, digits and signs, without spaces.`);
    }
    if (value.trim() !== '') entered[name] = value.trim();
  }
  return entered;
}

function parseInput(input: string): object {
  const object = input === '' ? {} : parseJson(input);
  if (!isObject(object) || Object.keys(object).some((name) => !Object.hasOwn(titles, name))) {
    throw new UsageError(`Standard input must be a JSON object with ${names.join(', ')}, or some of them.`);
  }
  return object;
}

/** Reads the values in a secret, which a person may have written. */
export function readValues(content: unknown): StoredValues {
  const text = (name: ValueName) => {
    const value = own(content, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const secrets = [own(content, 'app_secret')].flat().filter((secret) => typeof secret === 'string');
  return {
    access_token: text('access_token'),
    app_secrets: appSecrets({ access_token: '', app_secret: secrets }),
    verify_token: text('verify_token'),
  };
}

/**
 * The values after a change. A new app secret stands before the former ones, so that no event is lost while the
 * platform still signs with these.
 */
function changedValues(stored: StoredValues, entered: EnteredValues, dropFormer: boolean): StoredValues {
  const { access_token, app_secret, verify_token } = entered;
  const secrets = app_secret === undefined ? stored.app_secrets : [app_secret, ...stored.app_secrets];
  const distinct = [...new Set(secrets)];
  return {
    access_token: access_token ?? stored.access_token,
    app_secrets: dropFormer ? distinct.slice(0, 1) : distinct,
    verify_token: verify_token ?? stored.verify_token,
  };
}

/** The values as members of the secret. */
function membersOf({ access_token = '', app_secrets, verify_token = '' }: StoredValues): Credentials {
  const [only = '', ...former] = app_secrets;
  return { access_token, app_secret: former.length > 0 ? [only, ...former] : only, verify_token };
}

/** What may be shown of credentials: whether they are there, and the beginning of a hash by which to tell them apart. */
export function credentialsView(secret: string, { access_token, app_secrets, verify_token }: StoredValues) {
  const [current, ...former] = app_secrets;
  return {
    secret,
    access_token: fingerprint(access_token),
    app_secret: fingerprint(current),
    former_app_secrets: former.length,
    verify_token: verify_token !== undefined,
  };
}

/** Tokens and secrets of the platform are too random to be guessed from it. A verify token may be a word. */
const fingerprint = (text: string | undefined) =>
  text === undefined ? null : `sha256 ${hashToken(text).slice(0, 8)}…`;
