import { randomInt } from 'node:crypto';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import type { Management } from '../../platform/management.ts';
import { registrationOf } from '../../platform/registration.ts';
import { type Outcome, StepFailure } from '../steps.ts';

interface RegistrationPlan {
  management: Management;
  phoneNumberId: string;
  dryRun: boolean;
  /** Asks for the PIN of two-step verification; without it, a new one is generated. */
  askPin: (() => Promise<string>) | undefined;
  /** The command. */
  self: string;
}

/**
 * Registers the number if the platform says that it is not. The platform allows ten registrations in 72 hours, so
 * nothing is tried that cannot work.
 */
export async function registerNumber({
  management,
  phoneNumberId,
  dryRun,
  askPin,
  self,
}: RegistrationPlan): Promise<Outcome> {
  const number = await management.phoneNumber(phoneNumberId);
  const { status = 'unknown', platform_type: platform, is_pin_enabled: hasPin } = number;
  const registration = registrationOf(number);
  if (registration === 'registered') return { state: 'already', text: `the number is registered (${status}).` };
  if (registration === 'elsewhere') {
    throw new StepFailure(`The number is registered elsewhere (${platform}). Move it to the Cloud API first.`);
  }
  if (registration === 'not-shown') {
    throw new StepFailure(
      'The platform does not show whether the number is registered. Look it up in the WhatsApp Manager (Phone numbers).',
    );
  }
  if (number.code_verification_status === 'NOT_VERIFIED') {
    throw new StepFailure(
      'The number is not verified yet. Verify it with a code by SMS or call: WhatsApp Manager, Phone numbers.',
    );
  }
  if (hasPin && !askPin) {
    throw new StepFailure(
      'The number has two-step verification, so its PIN is needed. If you do not know it, change it in the WhatsApp ' +
        'Manager (Phone numbers, Settings, Two-step verification). To type it, so that it does not get into the history ' +
        `of the shell: ${self} --pin`,
      { pin: true },
    );
  }
  const ofPin = askPin ? 'with the PIN that you type' : 'with a new PIN, which is shown once';
  if (dryRun) return { state: 'would', text: `register the number ${ofPin}.` };
  return askPin ? register(await askPin()) : registerWithNewPin();

  async function register(pin: string): Promise<Outcome> {
    if (!/^\d{6}$/.test(pin)) throw new StepFailure('The PIN has six digits. Nothing was tried.');
    await management.register(phoneNumberId, pin);
    return { state: 'done', text: 'registered the number with your PIN. The service does not keep it.' };
  }

  /** The PIN is shown even if the response is lost: the platform may have set it. */
  async function registerWithNewPin(): Promise<Outcome> {
    const pin = String(randomInt(1_000_000)).padStart(6, '0');
    const keep = `Its PIN is ${pin}. Keep it in your password manager now: nothing else keeps it, and registering the number again needs it.`;
    try {
      await management.register(phoneNumberId, pin);
      return { state: 'done', text: `registered the number. ${keep}`, pin };
    } catch (error) {
      if (!(error instanceof UpstreamError) || !error.outcomeIsUnknown) throw error;
      return {
        state: 'failed',
        text: `The platform did not confirm the registration. It may have been made: ${keep}`,
        pin,
      };
    }
  }
}

/** The codes of registering (Meta, "Error codes", registration). */
const advice: Readonly<Record<number, string>> = {
  133005:
    'The PIN is wrong. Do not guess: the number can be registered ten times in 72 hours. Change the PIN: WhatsApp Manager, Phone numbers, Settings, Two-step verification.',
  133006: 'The number must be verified first, with a code by SMS or call: WhatsApp Manager, Phone numbers.',
  133008: 'Too many wrong PINs. Wait for the time that the platform names, or change the PIN in the WhatsApp Manager.',
  133009: 'The PIN was sent too quickly. Wait some minutes, and try again.',
  133015: 'The number was deleted a moment ago. Wait five minutes, and try again.',
  133016: 'The number was registered or deregistered ten times in 72 hours. Wait, and do not try until then.',
};

export function explainRegistration(error: unknown): StepFailure | undefined {
  if (!(error instanceof UpstreamError) || error.code === undefined) return undefined;
  const text = advice[error.code];
  return text ? new StepFailure(`${text} (${error.message})`) : undefined;
}
