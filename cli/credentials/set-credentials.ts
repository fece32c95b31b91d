import { randomBytes } from 'node:crypto';
import { hashToken } from '#shared/accounts/token.ts';
import { appSecrets, type Credentials, formerSecrets } from '#shared/accounts/upstream-credentials.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { MalformedCredentials } from '#shared/aws/versioned-secret.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { checkCredentials } from '../connect/credentials.ts';
import type { Service } from '../service.ts';
import { Rejection, UsageError } from '../terminal/errors.ts';
import { describeFailure } from '../terminal/failures.ts';
import { type SetOptions, setCommand } from '../terminal/hints.ts';
import type { Result } from '../terminal/render.ts';
import type { Upstream } from '../upstream.ts';
import {
  changedValues,
  credentialsView,
  enterValues,
  membersOf,
  readValues,
  type StoredValues,
  type ValueSource,
} from './values.ts';

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
  const after = changedValues({ ...before, app_secrets: former }, changes, { dropFormer });
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
    note: [
      notesOn(service, workspace, after, generated !== undefined).join(' '),
      ...(dropFormer && !workspace ? await leftAtWorkspaces(service, after) : []),
    ].join('\n'),
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
async function enterVerifyToken(
  { verifyTokens }: Service,
  { id }: Workspace,
  { verify_token = '' }: StoredValues,
): Promise<void> {
  if (await verifyTokens.enter(hashToken(verify_token), id)) return;
  throw new Rejection(
    'Another workspace has this verify token. Enter another one, or leave it empty to get a new one.',
  );
}

/** A workspace that moved to an app of its own may keep what the deployment has dropped. */
async function leftAtWorkspaces({ listOwnApps, upstream, hint }: Service, after: StoredValues): Promise<string[]> {
  const workspaces = await listOwnApps();
  const kept = await Promise.all(
    workspaces.map(async (workspace) => readValues((await upstream(workspace).secret.read())?.values).app_secrets),
  );
  return workspaces
    .filter((_, index) => formerSecrets(kept[index] ?? [], after.app_secrets).length > 0)
    .map(
      ({ id, name }) =>
        `${name} has an app of its own and still accepts events signed with a former app secret. Once none arrive any more: ${setCommand(hint, id, { dropFormer: true })}`,
    );
}

function notesOn(
  { hint }: Service,
  workspace: Workspace | undefined,
  { app_secrets }: StoredValues,
  isGenerated: boolean,
): string[] {
  return [
    'Stored. Running functions use it within five minutes, and at once where the platform or they themselves reject the former values.',
    ...(isGenerated
      ? ['The verify token is new. You need not enter it at Meta: the command "connect" sends it there.']
      : []),
    ...(workspace?.waba_id === null
      ? ['The workspace has no business account, so no event of its app can be recognised yet.']
      : []),
    ...(app_secrets.length > 1
      ? [
          `Events signed with a former app secret are still accepted. Once none arrive any more: ${setCommand(hint, workspace?.id, { dropFormer: true })}`,
        ]
      : []),
  ];
}
