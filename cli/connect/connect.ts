import { permitsCalls, type Workspace } from '#shared/accounts/workspace.ts';
import { own } from '#shared/base/json.ts';
import { lazy } from '#shared/base/lazy.ts';
import { ensureKeys } from '#shared/flow-endpoint/key-ring.ts';
import { readRegistration, registerKey } from '#shared/flow-endpoint/register-key.ts';
import type { PhoneNumber } from '#shared/webhooks/number.ts';
import { findWorkspace } from '../lookup.ts';
import { shakeHands } from '../platform/handshake.ts';
import { keyUseOf } from '../platform/key-use.ts';
import type { Service } from '../service.ts';
import { Rejection } from '../terminal/errors.ts';
import { setCommand, withRepair } from '../terminal/hints.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Upstream } from '../upstream.ts';
import { callbackUrl } from './address.ts';
import { showArrival } from './arrival.ts';
import { planCallbacks, setOverrides, subscribeApp } from './callbacks.ts';
import { checkCredentials } from './credentials.ts';
import { registerNumber } from './registration.ts';
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
    throw new Rejection(
      `The workspace ${workspace.id} has no business account. To name it: ${hint`workspace set-waba ${workspace.id} --waba-id WABA_ID`}`,
    );
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

async function checkNumber({ service: { hint }, management, wabaId, number, workspace }: Setup): Promise<Outcome> {
  const numbers = await management.phoneNumbers(wabaId);
  const found = numbers.find(({ id }) => id === number.phone_number_id);
  if (found === undefined) {
    const others = numbers.map(({ id, display_phone_number: shown }) => (shown ? `${id} (${shown})` : id));
    throw new Rejection(
      `The business account ${wabaId} has no number with the id ${number.phone_number_id}. It has ${others.join(', ') || 'none'}. ` +
        `The id is not the number itself. If the account is wrong: ${hint`workspace set-waba ${workspace.id} --waba-id WABA_ID`}`,
    );
  }
  const belongs = `${found.display_phone_number ?? found.id} belongs to the business account ${wabaId}`;
  if (number.active) return { state: 'already', text: `${belongs}.` };
  return {
    state: 'left',
    text:
      `${belongs}, but is switched off here, so its notifications go nowhere. ` +
      `To switch it on: ${hint`number activate ${number.id}`}`,
  };
}

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
  throw new Rejection(
    status === 403
      ? `${url} does not know this verify token. If it was stored a moment ago, try again. Otherwise another deployment may run there.`
      : `${url} responds with ${status}, not with the challenge: something else runs there, or stands before it.`,
  );
}

/** Subscribes the app to the business account, without which no event is sent at all. */
async function subscribeAccount({ steps, management, app, wabaId }: Setup): Promise<Outcome> {
  const apps = await management.subscribedApps(wabaId);
  if (apps.some(({ whatsapp_business_api_data }) => whatsapp_business_api_data?.id === app.id)) {
    return { state: 'already', text: `the app ${app.name} gets the events of ${wabaId}.` };
  }
  return steps.change(`subscribe the app ${app.name} to ${wabaId}.`, () => management.subscribeAccount(wabaId));
}

/** Uploads the workspace's Flow key for the number, and creates the key if there is none. */
async function uploadFlowKey({ steps, service, upstream, number }: Setup): Promise<Outcome> {
  const { flowKeys, encryption } = upstream;
  const { keys } = await flowKeys.read(number.workspace);
  const registration = await readRegistration(number, keys, encryption);
  if (registration === 'current') return { state: 'already', text: "the platform has the workspace's Flow key." };
  if (registration === 'foreign') {
    // It may be in use elsewhere, so only a person can decide to replace it.
    const text =
      'the platform has a Flow key that is not ours, such as that of another deployment or of the owner of an ' +
      'endpoint. Flows with an endpoint that are decrypted here can be neither published nor opened without ours. ' +
      `Unless another system uses the number, replace it: ${service.hint`key register ${number.id}`}`;
    const flows = await Array.fromAsync(service.flows.list({ workspace: number.workspace }));
    return { state: keyUseOf(flows) === 'decrypted-here' ? 'failed' : 'left', text };
  }
  const create = keys.length === 0 ? "create the workspace's Flow key and " : '';
  return steps.change(`${create}upload the Flow key.`, async () => {
    await registerKey(number, await ensureKeys(number.workspace, { flowKeys, now: service.now }), encryption);
  });
}

/** Turns calls on: at the platform, and for the number here. */
async function turnCallingOn({ steps, service, management, workspace, number }: Setup): Promise<Outcome> {
  const settings = await management.calling.read(number.phone_number_id);
  if (own(settings.sip, 'status') === 'ENABLED') {
    throw new Rejection(
      'SIP is on for the number, so calls do not come through this service. Turn SIP off with the ' +
        "call settings of the number (WhatsApp Manager, or this service's operation), then run this again.",
    );
  }
  const isOnThere = settings.status === 'ENABLED';
  const further = permitsCalls(workspace)
    ? ''
    : ` Calls of the workspace are still off: ${service.hint`workspace calling ${workspace.id} on`}`;
  if (isOnThere && number.calling_enabled) return { state: 'already', text: `calls are on.${further}` };
  return steps.change(`turn calls on ${isOnThere ? 'here' : 'at the platform and here'}.${further}`, async () => {
    if (!isOnThere) await management.calling.change(number.phone_number_id, { status: 'ENABLED' });
    if (!number.calling_enabled) await service.numbers.set(number.id, { calling_enabled: true });
  });
}
