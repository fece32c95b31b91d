import { limitTo } from '#shared/base/concurrency.ts';
import { invalidField } from '#shared/base/service-error.ts';
import { rejectUnsafe, requireRoom, type TargetContext } from '#shared/delivery/change-target.ts';
import { resetBreaker } from '#shared/delivery/drain.ts';
import { requireHandshake } from '#shared/delivery/handshake.ts';
import { pathOf } from '#shared/http/path.ts';
import {
  existingSettings,
  findTarget,
  isNamed,
  type NamedTarget,
  newNamedTarget,
  type PhoneNumber,
} from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import type { NamedTargetChange } from '#shared/webhooks/target-change-store.ts';
import { webhookTargetPath } from '#shared/webhooks/webhook-settings.ts';
import { createSecret, secretsOf } from '#shared/webhooks/webhook-signature.ts';
import { keepsWebhook, needsAppSecret } from './graph-errors.ts';

/** Where a client of Graph wants its notifications. An empty address takes the callback away. */
export interface Callback {
  override_callback_uri: string;
  verify_token?: string | undefined;
}

/** How many numbers are read at once. */
const numbersAtOnce = 10;

/** The most numbers whose targets one write sets: each may take three of its hundred items. */
export const maxNumbers = 33;

/** More tries than other requests change one of the targets meanwhile. */
const maxTries = 10;

/**
 * The target of all registrations of a user: its id without the hyphens and without the digit of the version, which our
 * ids have in common. So it fits into a name.
 */
export function registrationName(user: string): string {
  const digits = user.replaceAll('-', '');
  return `u${digits.slice(0, 12)}${digits.slice(13)}`;
}

/** The path of the target, for our operations. */
const pathOfTarget = ({ id }: PhoneNumber, name: string) => pathOf(webhookTargetPath, { number: id, target: name });

/** The URLs that the user has registered for these numbers. */
export async function registeredUrls(
  numbers: readonly PhoneNumber[],
  user: string,
  targets: Pick<TargetStore, 'read'>,
): Promise<string[]> {
  const limit = limitTo(numbersAtOnce);
  const all = await Promise.all(numbers.map((number) => limit(() => existingSettings(number, targets))));
  const urls = all.map((settings) => {
    const target = findTarget(settings, registrationName(user));
    return target && settings.targets[target]?.url;
  });
  return [...new Set(urls)].filter((url) => url !== undefined);
}

export interface RegistrationContext extends Omit<TargetContext, 'targets'> {
  targets: Pick<TargetStore, 'read' | 'setTargets'>;
}

/**
 * Makes or changes the user's target of each number, after one handshake, in one write: so nothing changes if one of
 * them has no room. Changes that another one overtakes are made again. A target keeps its app secret; a new one gets
 * that of the same user's target of another number in the workspace, because nobody would learn of one that is made here.
 */
export async function registerWebhook(
  numbers: readonly PhoneNumber[],
  user: string,
  { override_callback_uri: url, verify_token }: Callback,
  context: RegistrationContext,
): Promise<void> {
  const name = registrationName(user);
  if (url === '') throw keepsWebhook(pathOf(webhookTargetPath, { number: numbers[0]?.id ?? '', target: name }));
  if (verify_token === undefined) throw invalidField('verify_token', 'required');
  const limit = limitTo(numbersAtOnce);
  const field = 'override_callback_uri';
  const proven = new Set<string>();
  for (let tries = 0; tries < maxTries; tries++) {
    const found = await Promise.all(numbers.map((number) => limit(() => find(number, name, context))));
    const changes = changesOf(found, name, { url, format: 'meta', verify_token });
    await rejectUnsafe([{ field, url }], context.checkUrl);
    await requireHandshake(field, { url, token: verify_token }, context.ask, proven);
    if (!(await context.targets.setTargets(changes))) continue;
    await Promise.all(found.map((each) => limit(() => release(each, context))));
    return;
  }
  throw new Error('The targets kept changing');
}

interface Found {
  number: PhoneNumber;
  /** The user's target, if there is one. */
  existing: { target: NamedTarget; version: number; appSecret: string | undefined } | undefined;
}

async function find(number: PhoneNumber, name: string, { targets, secrets }: RegistrationContext): Promise<Found> {
  const settings = await existingSettings(number, targets);
  const target = findTarget(settings, name);
  if (target === undefined || !isNamed(target)) {
    requireRoom(settings);
    return { number, existing: undefined };
  }
  const all = await secrets.get(number.id);
  const appSecret = all && secretsOf(all, target)?.app_secret;
  return { number, existing: { target, version: settings.targets[target]?.version ?? 0, appSecret } };
}

function changesOf(
  all: readonly Found[],
  name: string,
  callback: { url: string; format: 'meta'; verify_token: string },
) {
  return all.map(({ number, existing }): NamedTargetChange => {
    const { workspace, id: subscriber } = number;
    const siblings = [
      existing,
      ...all.filter((other) => other.number.workspace === workspace).map((other) => other.existing),
    ];
    const app_secret = siblings.find((each) => each?.appSecret)?.appSecret;
    if (!app_secret) throw needsAppSecret(pathOfTarget(number, name));
    const settings = { ...callback, app_secret };
    return existing
      ? { subscriber, target: existing.target, changes: { ...settings, version: existing.version } }
      : { subscriber, target: newNamedTarget(name), changes: { ...settings, secret: createSecret() } };
  });
}

/** Releases what is held for a target: its receiver has just responded. */
async function release({ number, existing }: Found, context: RegistrationContext): Promise<void> {
  if (!existing) return;
  const { targets } = await existingSettings(number, context.targets);
  await resetBreaker(number.id, existing.target, targets[existing.target]?.breaker, context);
}
