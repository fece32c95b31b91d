import { isObject, isText, type JsonObject } from '#shared/base/json.ts';
import { invalidField } from '#shared/base/service-error.ts';
import { changeTarget, requireRoom, type TargetContext } from '#shared/delivery/change-target.ts';
import { existingSettings, findTarget, type PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { webhookTargetPath } from '#shared/webhooks/webhook-settings.ts';
import { secretsOf } from '#shared/webhooks/webhook-signature.ts';
import { GraphPathError } from './graph-path-error.ts';

/** The webhook that a body registers; `undefined` if it registers none. */
export function readOverride(body: JsonObject): { url: string; verify_token: string } | undefined {
  const { override_callback_uri: url, verify_token } = isObject(body.webhook_configuration)
    ? body.webhook_configuration
    : body;
  if (url === undefined || url === null || url === '') return undefined;
  if (!isText(url) || url.length > 255) throw invalidField('override_callback_uri', 'url_malformed');
  if (!isText(verify_token) || verify_token.length > 255) throw invalidField('verify_token', 'required');
  return { url, verify_token };
}

/** The name of the target that has the registrations of a user: it holds the user's id. */
export const registrationName = (user: string): string =>
  `user-${BigInt(`0x${user.replaceAll('-', '')}`).toString(36)}`;

/**
 * Makes or changes the target of the user's registrations, in Meta's format, for each of the numbers, after one
 * handshake. It is signed with the app secret that was set for it before, at one of these numbers.
 */
export async function registerWebhook(
  user: string,
  numbers: readonly PhoneNumber[],
  override: { url: string; verify_token: string },
  context: TargetContext,
): Promise<void> {
  const name = registrationName(user);
  const known = await Promise.all(
    numbers.map(async (number) => {
      const settings = await existingSettings(number, context.targets);
      const target = findTarget(settings, name);
      const secrets = target && (await context.secrets.get(number.id));
      return { number, settings, target, app_secret: secrets && secretsOf(secrets, target)?.app_secret };
    }),
  );
  const app_secret = known.map((each) => each.app_secret).find((secret) => secret !== undefined);
  if (app_secret === undefined) throw withoutSecret(name, numbers[0]);
  for (const { settings, target } of known) if (target === undefined) requireRoom(settings);
  const proven = new Set<string>();
  for (const { number, app_secret: own } of known) {
    const changes = { ...override, format: 'meta', ...(own === undefined && { app_secret }) } as const;
    await changeTarget(number, { name, isOwner: true }, changes, context, proven);
  }
}

function withoutSecret(name: string, number: PhoneNumber | undefined): GraphPathError {
  const path = webhookTargetPath.replace('{number}', number?.id ?? '{number}').replace('{target}', name);
  const text = `(#100) Set the app secret that signs your webhooks first, with format meta: PUT ${path}`;
  return new GraphPathError(text, 400, 100);
}
