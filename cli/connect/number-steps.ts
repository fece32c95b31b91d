import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { permitsCalls } from '#shared/accounts/workspace.ts';
import { own } from '#shared/base/json.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { ensureKeys, readRegistration, registerKey } from '#shared/flow-endpoint/flow-keys.ts';
import { type EventNote, noteIntervalMs } from '#shared/ingestion/event-note-store.ts';
import { keyUseOf, registrationOf } from '../platform/number-state.ts';
import { Rejection } from '../terminal/errors.ts';
import type { Outcome, Setup } from './steps.ts';

const manager = 'WhatsApp Manager, Phone numbers';

export async function checkNumber({ service, management, wabaId, number, workspace }: Setup): Promise<Outcome> {
  const { hint } = service;
  const numbers = await management.phoneNumbers(wabaId);
  const found = numbers.find(({ id }) => id === number.phone_number_id);
  if (found === undefined) {
    const others = numbers.map(({ id, display_phone_number: shown }) => (shown ? `${id} (${shown})` : id));
    const what = `The business account ${wabaId} has no number with the id ${number.phone_number_id}`;
    const command = hint`workspace set-waba ${workspace.id} --waba-id WABA_ID`;
    throw new Rejection(`${what}. It has ${others.join(', ') || 'none'}. If the account is wrong: ${command}`);
  }
  const belongs = `${found.display_phone_number ?? found.id} belongs to the business account ${wabaId}`;
  if (number.active) return { state: 'already', text: `${belongs}.` };
  const command = hint`number activate ${number.id}`;
  return { state: 'left', text: `${belongs}, but is switched off here. To switch it on: ${command}` };
}

/**
 * Registers the number if the platform says that it is not. The platform allows ten registrations in 72 hours, so
 * nothing is tried that cannot work.
 */
export async function registerNumber(setup: Setup): Promise<Outcome> {
  const { management, number, options, self } = setup;
  const found = await management.phoneNumber(number.phone_number_id);
  const { status = 'unknown', platform_type: platform } = found;
  const registration = registrationOf(found);
  if (registration === 'registered') return { state: 'already', text: `the number is registered (${status}).` };
  if (registration === 'elsewhere') {
    throw new Rejection(`The number is registered elsewhere (${platform}). Move it to the Cloud API first.`);
  }
  if (registration === 'not-shown') {
    throw new Rejection(`The platform does not show whether the number is registered. Look it up: ${manager}.`);
  }
  if (found.code_verification_status === 'NOT_VERIFIED') {
    throw new Rejection(`The number is not verified yet. Verify it with a code by SMS or call: ${manager}.`);
  }
  if (found.is_pin_enabled && !options.pin) {
    const change = `If you do not know it, change it: ${manager}, Settings, Two-step verification.`;
    throw new Rejection(
      `The number has two-step verification, so its PIN is needed. ${change} To type it: ${self} --pin`,
    );
  }
  if (options.dryRun) {
    const ofPin = options.pin ? 'with the PIN that you type' : 'with a new PIN, which is shown once';
    return { state: 'would', text: `register the number ${ofPin}.` };
  }
  return options.pin ? registerWithOwnPin(setup) : registerWithNewPin(setup);
}

async function registerWithOwnPin({ management, number, terminal }: Setup): Promise<Outcome> {
  const pin = await terminal.askSecret('PIN of two-step verification (six digits, not shown): ');
  if (!/^\d{6}$/.test(pin)) throw new Rejection('The PIN has six digits. Nothing was tried.');
  await management.register(number.phone_number_id, pin);
  return { state: 'done', text: 'registered the number with your PIN. The service does not keep it.' };
}

/** The PIN is shown even if the response is lost: the platform may have set it. */
async function registerWithNewPin({ management, number }: Setup): Promise<Outcome> {
  const pin = String(randomInt(1_000_000)).padStart(6, '0');
  const keep = `Its PIN is ${pin}. Keep it in your password manager now: nothing else keeps it.`;
  try {
    await management.register(number.phone_number_id, pin);
    return { state: 'done', text: `registered the number. ${keep}`, pin };
  } catch (error) {
    if (!(error instanceof UpstreamError) || !error.outcomeIsUnknown) throw error;
    return { state: 'failed', text: `The platform did not confirm it. It may have been made: ${keep}`, pin };
  }
}

/** Uploads the workspace's Flow key for the number, and creates the key if there is none. */
export async function uploadFlowKey({ steps, service, upstream, number }: Setup): Promise<Outcome> {
  const { flowKeys, encryption } = upstream;
  const { keys } = await flowKeys.read(number.workspace);
  const registration = await readRegistration(number, keys, encryption);
  if (registration === 'current') return { state: 'already', text: "the platform has the workspace's Flow key." };
  if (registration === 'foreign') {
    // It may be in use elsewhere, so only a person can decide to replace it.
    const command = service.hint`key register ${number.id}`;
    const what =
      'the platform has a Flow key that is not ours. Flows that are decrypted here do not open without ours.';
    const flows = await Array.fromAsync(service.flows.list({ workspace: number.workspace }));
    return {
      state: keyUseOf(flows) === 'decrypted-here' ? 'failed' : 'left',
      text: `${what} Unless another system uses the number, replace it: ${command}`,
    };
  }
  const create = keys.length === 0 ? "create the workspace's Flow key and " : '';
  return steps.change(`${create}upload the Flow key.`, async () => {
    await registerKey(number, await ensureKeys(number.workspace, { flowKeys, now: service.now }), encryption);
  });
}

/** Turns calls on: at the platform, and for the number here. */
export async function turnCallingOn({ steps, service, management, workspace, number }: Setup): Promise<Outcome> {
  const settings = await management.calling.read(number.phone_number_id);
  if (own(settings.sip, 'status') === 'ENABLED') {
    throw new Rejection('SIP is on for the number, so calls do not come through this service. Turn it off first.');
  }
  const isOnThere = settings.status === 'ENABLED';
  const command = service.hint`workspace calling ${workspace.id} on`;
  const further = permitsCalls(workspace) ? '' : ` Calls of the workspace are still off: ${command}`;
  if (isOnThere && number.calling_enabled) return { state: 'already', text: `calls are on.${further}` };
  return steps.change(`turn calls on ${isOnThere ? 'here' : 'at the platform and here'}.${further}`, async () => {
    if (!isOnThere) await management.calling.change(number.phone_number_id, { status: 'ENABLED' });
    if (!number.calling_enabled) await service.numbers.set(number.id, { calling_enabled: true });
  });
}

const defaultWaitSeconds = 300;
const pollMs = 1_000;

/** Asks for a message to the number and shows it arrive, by the note of the number's last event. */
export async function showArrival({ service, number, options, terminal, steps, self }: Setup): Promise<Outcome> {
  if (steps.has('failed')) return { state: 'not-tried', text: 'something above has to be fixed first.' };
  const { display_phone_number: shown } = number;
  if (options.dryRun) return { state: 'would', text: `ask for a message to ${shown} and show it arrive.` };
  const { eventNotes, now, hint } = service;
  const before = await eventNotes.get(number.id);
  // Events are noted once a minute, so a further one would not show.
  const isRecent = before !== undefined && now() - before.last_event_at < noteIntervalMs;
  // After a change, an earlier event proves nothing.
  if (before && !steps.has('done') && (isRecent || !options.waitSeconds)) {
    return { state: 'already', text: arrived(before) };
  }
  const waitSeconds = options.waitSeconds ?? (terminal.isInteractive ? defaultWaitSeconds : 0);
  const ask = `Send a WhatsApp message to ${shown}`;
  if (waitSeconds === 0) return { state: 'left', text: `${ask}. To see when the last event arrived: ${self}` };
  const seconds = waitSeconds === 1 ? '1 second' : `${waitSeconds} seconds`;
  terminal.say(`${ask} now. Waiting for up to ${seconds}; Ctrl-C ends this.`);
  const note = await nextNote(() => eventNotes.get(number.id), before, waitSeconds);
  if (note) {
    // Any event shows that events come here.
    const other = note.kind === 'message' ? '' : ' It shows that events come here, but it is not the message.';
    return { state: 'done', text: `${arrived(note)}${other}` };
  }
  const remedy = `Check that the app is published (App Dashboard). If an event named another number: ${hint`doctor ${number.id}`}`;
  return { state: 'failed', text: `no event of the number arrived within ${seconds}. ${remedy}` };
}

/** Looks until there is another note than before, or the time is over. */
async function nextNote(
  read: () => Promise<EventNote | undefined>,
  before: EventNote | undefined,
  waitSeconds: number,
): Promise<EventNote | undefined> {
  for (let left = waitSeconds * 1000; left > 0; left -= pollMs) {
    const note = await read();
    if (note?.last_event_at !== before?.last_event_at) return note;
    await sleep(Math.min(left, pollMs));
  }
  return undefined;
}

const arrived = ({ kind, last_event_at }: EventNote) =>
  `An event (${kind}) arrived at ${new Date(last_event_at).toISOString().replace(/\.\d+/, '')}.`;
