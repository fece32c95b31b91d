import { limitTo } from '#shared/base/concurrency.ts';
import { invalidField } from '#shared/base/service-error.ts';
import {
  changeTarget,
  rejectUnsafe,
  requireHandshake,
  requireRoom,
  type TargetContext,
} from '#shared/delivery/change-target.ts';
import { pathOf } from '#shared/http/path.ts';
import { existingSettings, findTarget, type PhoneNumber, subscriberNotFound } from '#shared/webhooks/subscriber.ts';
import { webhookTargetPath } from '#shared/webhooks/webhook-settings.ts';
import { type SubscriberSecrets, secretsOf } from '#shared/webhooks/webhook-signature.ts';
import { keepsWebhook, needsAppSecret } from './graph-path-error.ts';

/** Where a client of Graph wants its notifications. An empty address takes the callback away. */
export interface Callback {
  override_callback_uri: string;
  verify_token?: string | undefined;
}

/** How many numbers are read or changed at once. */
const numbersAtOnce = 10;

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

interface Found {
  number: PhoneNumber;
  secrets: SubscriberSecrets;
  /** The one of the user's target, if there is one. */
  appSecret: string | undefined;
}

/**
 * Makes or changes the user's target of each number, after one handshake. Everything that can be wrong is looked for
 * before the first of them changes. A target keeps its app secret; a new one gets that of the same user's target of
 * another number in the workspace, because nobody would learn of one that is made here.
 */
export async function registerWebhook(
  numbers: readonly [PhoneNumber, ...PhoneNumber[]],
  user: string,
  { override_callback_uri: url, verify_token: token }: Callback,
  context: TargetContext,
): Promise<void> {
  const name = registrationName(user);
  if (url === '') throw keepsWebhook(pathOfTarget(numbers[0], name));
  if (token === undefined) throw invalidField('verify_token', 'required');
  const limit = limitTo(numbersAtOnce);
  const all = await Promise.all(numbers.map((number) => limit(() => find(number, name, context))));
  const signed = all.map((found) => {
    const sibling = all.find(({ number, appSecret }) => appSecret && number.workspace === found.number.workspace);
    if (!sibling?.appSecret) throw needsAppSecret(pathOfTarget(found.number, name));
    return { ...found, ...(!found.appSecret && { app_secret: sibling.appSecret }) };
  });
  const field = 'override_callback_uri';
  const proven = new Set<string>();
  await rejectUnsafe([{ field, url }], context.checkUrl);
  await requireHandshake(field, { url, token }, context.ask, proven);

  const changes = { url, format: 'meta', verify_token: token } as const;
  const results = await Promise.allSettled(
    signed.map(({ number, secrets, app_secret }) =>
      limit(() => {
        const known = { ...context, checkUrl: async () => undefined, secrets: { get: async () => secrets } };
        return changeTarget(number, { name, isOwner: true }, { ...changes, app_secret }, known, proven);
      }),
    ),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function find(number: PhoneNumber, name: string, { targets, secrets: store }: TargetContext): Promise<Found> {
  const settings = await existingSettings(number, targets);
  const secrets = await store.get(number.id);
  if (!secrets) throw subscriberNotFound(number);
  const target = findTarget(settings, name);
  if (target === undefined) requireRoom(settings);
  return { number, secrets, appSecret: target && secretsOf(secrets, target)?.app_secret };
}
