import type { Workspace } from '#shared/accounts/workspace.ts';
import { lazy } from '#shared/base/cache.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { findWorkspace } from '../lookup.ts';
import { checkCredentials } from '../platform/app-credentials.ts';
import { callbackUrl, shakeHands } from '../platform/event-address.ts';
import type { Service, Upstream } from '../service.ts';
import { Rejection } from '../terminal/errors.ts';
import { setCommand, withRepair } from '../terminal/hints.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { planCallbacks, setOverrides, subscribeApp } from './callback-steps.ts';
import { checkNumber, registerNumber, showArrival, turnCallingOn, uploadFlowKey } from './number-steps.ts';
import { type ConnectOptions, type Outcome, type Setup, type StepResult, Steps } from './steps.ts';

/**
 * Connects a number: afterwards its events come here. Each step looks first and changes only what is missing, so the
 * whole can be repeated.
 *
 * @param show shows each step when it has been tried
 */
export async function connect(
  service: Service,
  number: PhoneNumber,
  options: ConnectOptions,
  { terminal, show }: { terminal: Terminal; show: (result: StepResult) => void },
): Promise<Steps> {
  const { hint } = service;
  const workspace = await findWorkspace(service, number.workspace);
  const { waba_id: wabaId } = workspace;
  if (wabaId === null) {
    const command = hint`workspace set-waba ${workspace.id} --waba-id WABA_ID`;
    throw new Rejection(`The workspace ${workspace.id} has no business account. To name it: ${command}`);
  }
  const upstream = service.upstream(workspace);
  const url = callbackUrl(service.baseUrl, upstream.baseUrl);
  const steps = new Steps(options.dryRun === true, show);
  const found = await steps.run('credentials', [], () => findApp(service, workspace, upstream));
  if (found === undefined) return steps;

  const setup: Setup = {
    service,
    upstream,
    management: upstream.management,
    workspace,
    wabaId,
    number,
    app: found.app,
    callback: { url, verifyToken: found.verifyToken },
    options,
    terminal,
    steps,
    self: hint`connect ${number.id}`,
  };
  const callbacks = lazy(() => planCallbacks(setup));
  await steps.run('number', [], () => checkNumber(setup));
  await steps.run('verify token', [], () => checkVerifyToken(setup));
  await steps.run('business account', ['number'], () => subscribeAccount(setup));
  await steps.run('app', ['verify token', 'number'], async () => subscribeApp(setup, await callbacks()));
  await steps.run('callback', ['business account', 'app'], async () => setOverrides(setup, await callbacks()));
  await steps.run('registration', ['number'], () => registerNumber(setup));
  await steps.run('Flow key', ['registration'], () => uploadFlowKey(setup));
  if (options.calling === 'on') await steps.run('calling', ['registration'], () => turnCallingOn(setup));
  await steps.run('first message', [], () => showArrival(setup));
  return steps;
}

/** The app of the workspace, if the stored credentials are valid. */
async function findApp({ hint }: Service, workspace: Workspace, upstream: Upstream) {
  const credentials = await upstream.credentials().catch((error: unknown) => {
    throw withRepair(error, hint);
  });
  const app = await checkCredentials(upstream.management, credentials, workspace.waba_id).catch((error: unknown) => {
    if (!(error instanceof Rejection)) throw error;
    throw new Rejection(`${error.message} To store credentials: ${setCommand(hint, ownerOf(workspace))}`);
  });
  return {
    app,
    verifyToken: credentials.verify_token ?? '',
    state: 'already' as const,
    text: `the access token and the secret of the app ${app.name} (${app.id}) are valid, with both permissions.`,
  };
}

/** Whose credentials a workspace uses. */
const ownerOf = ({ id, own_credentials }: Workspace) => (own_credentials ? id : undefined);

/** Makes the platform's handshake with our own address, from here. */
async function checkVerifyToken({ service: { hint }, workspace, callback }: Setup): Promise<Outcome> {
  const { url, verifyToken } = callback;
  if (verifyToken === '') {
    const command = setCommand(hint, ownerOf(workspace), { generateVerifyToken: true });
    throw new Rejection(`No verify token is stored. To make one: ${command}`);
  }
  const { status, isComplete, reason } = await shakeHands(callback);
  if (isComplete) return { state: 'already', text: `${url} knows the verify token.` };
  if (status === null) {
    throw new Rejection(`${url} does not respond from here (${reason}). Check that the service, or the tunnel, runs.`);
  }
  if (status !== 403) throw new Rejection(`${url} responds with ${status}: something else runs there, or before it.`);
  const remedy = 'If it was stored a moment ago, try again. Otherwise another deployment may run there.';
  throw new Rejection(`${url} does not know this verify token. ${remedy}`);
}

/** Subscribes the app to the business account, without which no event is sent at all. */
async function subscribeAccount({ steps, management, app, wabaId }: Setup): Promise<Outcome> {
  const apps = await management.subscribedApps(wabaId);
  if (apps.some(({ id }) => id === app.id)) {
    return { state: 'already', text: `the app ${app.name} gets the events of ${wabaId}.` };
  }
  return steps.change(`subscribe the app ${app.name} to ${wabaId}.`, () => management.subscribeAccount(wabaId));
}
