import { randomInt } from 'node:crypto';
import { eventsPath } from '#shared/http/path.ts';
import type { DeliverySettings, TargetRecord } from '#shared/webhooks/subscriber.ts';
import { Rejection } from '../terminal/errors.ts';
import type { Callback } from './management.ts';

/** The levels at which the platform lets an app choose where events go. A later one decides over an earlier one. */
export const callbackLevels = ['app', 'account', 'number'] as const;
export type CallbackLevel = (typeof callbackLevels)[number];

/** Where events go, by level. */
export type Callbacks = Record<CallbackLevel, string | undefined>;

/** The level whose callback decides where messages and calls of a number go. */
export const decisiveLevel = (current: Callbacks): CallbackLevel | undefined =>
  callbackLevels.findLast((level) => current[level]);

/** Whether only this machine reaches the address. */
const isLoopback = ({ hostname }: URL) => /^(?:127\.[\d.]+|\[::1\]|(?:.+\.)?localhost)$/.test(hostname);

/**
 * The address to which the platform should send events.
 *
 * @param platformUrl the simulated platform reaches this machine, too
 * @throws Rejection if the platform cannot reach it
 */
export function callbackUrl(baseUrl: string | undefined, platformUrl: string): string {
  const url = new URL(eventsPath, baseUrl);
  if (isLoopback(new URL(platformUrl)) || (url.protocol === 'https:' && !isLoopback(url))) return url.href;
  const remedy = 'For this machine, start a tunnel, set PUBLIC_URL to its address, and run "./messaging start --live".';
  throw new Rejection(
    `The platform cannot reach ${url}: it needs an https address that is open to the internet. ${remedy}`,
  );
}

export const isSameUrl = (one: string | undefined, other: string): boolean =>
  one !== undefined && URL.canParse(one) && new URL(one).href === new URL(other).href;

const timeoutMs = 10_000;

/** Asks as the platform does before it accepts an address for events (Meta, "Webhooks: getting started"), but from here. */
export async function shakeHands({ url, verifyToken }: Callback) {
  const challenge = String(randomInt(1_000_000_000, 10_000_000_000));
  const query = { 'hub.mode': 'subscribe', 'hub.challenge': challenge, 'hub.verify_token': verifyToken };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${url}?${new URLSearchParams(query)}`, { redirect: 'manual', signal });
    const text = await response.text();
    return { status: response.status, isComplete: response.status === 200 && text === challenge };
  } catch (error) {
    // What `fetch` throws only says that it failed.
    const { cause, message } = Object(error);
    return { status: null, isComplete: false, reason: String(cause?.code ?? message) };
  }
}

/** The fields that the service itself reads. */
export const ownFields = ['messages', 'calls', 'flows'] as const;

/** The other fields that the page about events of a workspace names. */
export const workspaceFields: readonly string[] = [
  'account_alerts',
  'account_review_update',
  'account_settings_update',
  'account_update',
  'business_capability_update',
  'business_username_updates',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
  'history',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'messaging_handovers',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'smb_app_state_sync',
  'smb_message_echoes',
  'standby',
  'template_category_update',
  'user_preferences',
];

/** What staff write in the WhatsApp Business app, and in other apps. */
const echoFields: readonly string[] = ['smb_message_echoes', 'message_echoes'];

/** The fields of echoes, if a target of a number asks for them. */
export function echoFieldsFor({ targets }: DeliverySettings): readonly string[] {
  const asksForEchoes = ({ url, events }: TargetRecord) =>
    url !== undefined && events?.some((name) => /^message_echoes(?:\.|$)/.test(name));
  return Object.values(targets).some(asksForEchoes) ? echoFields : [];
}

/** The fields to which the app must subscribe: those of the service, and what the webhook of the workspace wants. */
export function fieldsFor({ url, events }: Pick<TargetRecord, 'url' | 'events'>): string[] {
  const wanted = url === undefined ? [] : workspaceFields.filter((field) => events?.includes(field) ?? true);
  return [...ownFields, ...wanted];
}
