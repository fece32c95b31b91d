import { randomInt } from 'node:crypto';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { registrationOf } from '../platform/registration.ts';
import { Rejection } from '../terminal/errors.ts';
import type { Outcome, Setup } from './steps.ts';

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
    throw new Rejection(
      'The platform does not show whether the number is registered. Look it up in the WhatsApp Manager (Phone numbers).',
    );
  }
  if (found.code_verification_status === 'NOT_VERIFIED') {
    throw new Rejection(
      'The number is not verified yet. Verify it with a code by SMS or call: WhatsApp Manager, Phone numbers.',
    );
  }
  if (found.is_pin_enabled && !options.pin) {
    throw new Rejection(
      'The number has two-step verification, so its PIN is needed. If you do not know it, change it in the WhatsApp ' +
        'Manager (Phone numbers, Settings, Two-step verification). To type it, so that it does not get into the history ' +
        `of the shell: ${self} --pin`,
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
  const keep = `Its PIN is ${pin}. Keep it in your password manager now: nothing else keeps it, and registering the number again needs it.`;
  try {
    await management.register(number.phone_number_id, pin);
    return { state: 'done', text: `registered the number. ${keep}`, pin };
  } catch (error) {
    if (!(error instanceof UpstreamError) || !error.outcomeIsUnknown) throw error;
    const text = `The platform did not confirm the registration. It may have been made: ${keep}`;
    return { state: 'failed', text, pin };
  }
}
