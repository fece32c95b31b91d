import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { TargetRecord } from '#shared/domain/subscribers/target.ts';
import { findWorkspace } from '../lookup.ts';
import type { Callback } from '../platform/management.ts';
import type { ProvenApp } from '../platform/proven-app.ts';
import type { Service } from '../service.ts';
import { Rejection } from '../terminal/errors.ts';
import { setCommand, withRepair } from '../terminal/hints.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { callbackUrl } from './address.ts';
import type { CallbackLevel } from './callback-levels.ts';
import { fieldsFor } from './fields.ts';
import { subscribeAccount } from './steps/account.ts';
import { showArrival } from './steps/arrival.ts';
import { explainCallback, levelFor, readCallbacks, setOverrides, subscribeApp } from './steps/callbacks.ts';
import { turnCallingOn } from './steps/calling.ts';
import { checkCredentials } from './steps/credentials.ts';
import { uploadFlowKey } from './steps/flow-key.ts';
import { explainRegistration, registerNumber } from './steps/registration.ts';
import { checkVerifyToken } from './steps/verify-token.ts';
import { StepFailure, type StepResult, Steps } from './steps.ts';

export interface ConnectOptions {
  callback?: CallbackLevel | undefined;
  /** The fields of the platform, in place of those that the service needs. */
  fields?: readonly string[] | undefined;
  calling?: 'on' | undefined;
  /** Asks for the PIN of two-step verification. */
  pin?: boolean | undefined;
  dryRun?: boolean | undefined;
  /**
   * How long to wait for a new event. By default five minutes if none arrived before and somebody is there, otherwise
   * not at all.
   */
  waitSeconds?: number | undefined;
}

interface Surroundings {
  terminal: Terminal;
  /** Shows each step when it has been tried. */
  show: (result: StepResult) => void;
}

const defaultWaitSeconds = 300;

const name = {
  credentials: 'credentials',
  number: 'number',
  verifyToken: 'verify token',
  account: 'business account',
  app: 'app',
  callback: 'callback',
  registration: 'registration',
  key: 'Flow key',
  calling: 'calling',
  arrival: 'first message',
} as const;

/**
 * Connects a number: afterwards its events come here. Each step looks first and changes only what is missing, so the
 * whole can be repeated.
 */
export async function connect(
  command: Service,
  number: PhoneNumber,
  options: ConnectOptions,
  { terminal, show }: Surroundings,
): Promise<Steps> {
  const { hint } = command;
  const workspace = await findWorkspace(command, number.workspace);
  const { waba_id: wabaId } = workspace;
  if (wabaId === null) {
    throw new Rejection(
      `The workspace ${workspace.id} has no business account. To name it: ${hint`workspace set-waba ${workspace.id} --waba-id WABA_ID`}`,
    );
  }
  const upstream = command.upstream(workspace);
  /** Whose credentials they are. */
  const owner = workspace.own_credentials ? workspace.id : undefined;
  /** The steps use the credentials of the workspace. */
  const service: Service = { ...command, upstream: () => upstream };
  const { management } = upstream;
  const { phone_number_id: phoneNumberId } = number;
  const dryRun = options.dryRun === true;
  const steps = new Steps({ dryRun, show });

  const url = callbackUrl(service.baseUrl, upstream.baseUrl);
  /** The command itself, for steps that say how to run it again. */
  const self = hint`connect ${number.id}`;

  const found: { app?: ProvenApp; verifyToken?: string | undefined } = {};
  await steps.run(name.credentials, async () => {
    const credentials = await upstream.credentials().catch((error: unknown) => {
      throw withRepair(error, hint);
    });
    const app = await checkCredentials(management, credentials, wabaId).catch((error: unknown) => {
      if (!(error instanceof StepFailure)) throw error;
      throw new StepFailure(`${error.message} To store credentials: ${setCommand(hint, owner)}`);
    });
    Object.assign(found, { app, verifyToken: credentials.verify_token });
    return {
      state: 'already',
      text: `the access token and the secret of the app ${app.name} (${app.id}) are valid, with both permissions.`,
    };
  });
  const { app, verifyToken = '' } = found;
  if (app === undefined) return steps;
  const callback: Callback = { url, verifyToken };

  await steps.run(name.number, async () => {
    const numbers = await management.phoneNumbers(wabaId);
    const { display_phone_number = phoneNumberId } = numbers.find(({ id }) => id === phoneNumberId) ?? missing();
    const belongs = `${display_phone_number} belongs to the business account ${wabaId}`;
    if (number.active) return { state: 'already', text: `${belongs}.` };
    return {
      state: 'left',
      text:
        `${belongs}, but is switched off here, so its notifications go nowhere. ` +
        `To switch it on: ${hint`number activate ${number.id}`}`,
    };

    function missing(): never {
      const others = numbers.map(({ id, display_phone_number: shown }) => (shown ? `${id} (${shown})` : id));
      throw new StepFailure(
        `The business account ${wabaId} has no number with the id ${phoneNumberId}. It has ${others.join(', ') || 'none'}. ` +
          `The id is not the number itself. If the account is wrong: ${hint`workspace set-waba ${workspace.id} --waba-id WABA_ID`}`,
      );
    }
  });

  await steps.run(name.verifyToken, async () => {
    if (verifyToken !== '') return checkVerifyToken(callback);
    throw new StepFailure(
      `No verify token is stored. To make one: ${setCommand(hint, owner, { generateVerifyToken: true })}`,
    );
  });

  await steps.run(name.account, () => subscribeAccount(steps, { management, app, wabaId }), { needs: [name.number] });

  const plan = async () => {
    const current = await readCallbacks(management, { app, wabaId, phoneNumberId });
    const level = levelFor(current, url, options.callback, self);
    const fields = options.fields ?? fieldsFor(await workspaceWebhook(service, workspace.id));
    return { management, app, wabaId, phoneNumberId, callback, current, level, fields, self };
  };
  const explain = (error: unknown) => explainCallback(error, { self, fields: options.fields });
  await steps.run(name.app, async () => subscribeApp(steps, await plan()), {
    needs: [name.verifyToken, name.number],
    explain,
  });
  await steps.run(name.callback, async () => setOverrides(steps, await plan()), {
    needs: [name.account, name.app],
    explain,
  });

  await steps.run(
    name.registration,
    () => {
      const askPin = () => terminal.askSecret('PIN of two-step verification (six digits, not shown): ');
      return registerNumber({ management, phoneNumberId, dryRun, askPin: options.pin ? askPin : undefined, self });
    },
    { needs: [name.number], explain: explainRegistration },
  );
  await steps.run(name.key, () => uploadFlowKey(steps, service, number), { needs: [name.registration] });
  if (options.calling === 'on') {
    await steps.run(name.calling, () => turnCallingOn(steps, service, { number, workspace }), {
      needs: [name.registration],
    });
  }

  await steps.run(name.arrival, async () => {
    if (steps.hasFailed) return { state: 'not-tried', text: 'something above has to be fixed first.' };
    if (dryRun)
      return { state: 'would', text: `ask for a message to ${number.display_phone_number} and show it arrive.` };
    const waitSeconds = options.waitSeconds ?? (terminal.isInteractive ? defaultWaitSeconds : 0);
    const wantsNew = (options.waitSeconds ?? 0) > 0;
    const { hasChanged } = steps;
    return showArrival(service, { self, number, wabaId, waitSeconds, wantsNew, hasChanged, say: terminal.say });
  });
  return steps;
}

async function workspaceWebhook(
  { targets }: Service,
  workspace: string,
): Promise<Pick<TargetRecord, 'url' | 'events'>> {
  return (await targets.read(workspace))?.targets.webhook ?? {};
}
