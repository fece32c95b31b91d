import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '#shared/base/field-error.ts';
import { newId } from '#shared/base/ids.ts';
import { invalidField, invalidFields, ServiceError } from '#shared/base/service-error.ts';
import type { UrlFault } from '#shared/egress/url-rules.ts';
import { eventNamesOf, isOfService } from '#shared/webhooks/event-names.ts';
import type { Format } from '#shared/webhooks/meta-format.ts';
import { headerFaults, headerNames, storedHeaders } from '#shared/webhooks/receiver-headers.ts';
import {
  type DeliverySettings,
  existingNamedTarget,
  existingSettings,
  findTarget,
  isBuiltIn,
  isNamed,
  isWorkspace,
  maxNamedTargets,
  nameOf,
  newNamedTarget,
  newTarget,
  type Subscriber,
  type Target,
  type TargetRecord,
  targetNotFound,
  targetsOf,
} from '#shared/webhooks/subscriber.ts';
import type { SecretStore, TargetStore } from '#shared/webhooks/subscriber-store.ts';
import type { StoredTargetChanges } from '#shared/webhooks/target-change-store.ts';
import type { TargetChanges } from '#shared/webhooks/webhook-settings.ts';
import { createSecret, type OwnSecrets, secretsOf } from '#shared/webhooks/webhook-signature.ts';
import { resetBreaker, type StartDrainContext } from './drain.ts';
import { type Ask, requireHandshake } from './handshake.ts';
import type { NotificationQueue } from './notification-queue-store.ts';

/** The target as it is now, and the secrets that were made for it, which are shown once. */
export interface ChangedTarget {
  settings: DeliverySettings;
  target: Target;
  secret?: string;
  app_secret?: string;
}

/** More tries than other requests change one target meanwhile. */
export const maxTries = 10;

export interface TargetContext extends Omit<StartDrainContext, 'targets'> {
  targets: Pick<TargetStore, 'read' | 'changeTarget' | 'createTarget'>;
  secrets: Pick<SecretStore, 'get'>;
  checkUrl: (url: string) => Promise<UrlFault | undefined>;
  ask: Ask;
}

/**
 * Makes a target with a name of its own, or changes a target: its URL, format, events, headers and secrets in one write,
 * after the handshake that Meta's format asks for. Headers belong to the origin of the target's URL, so there must be
 * one: a URL that is set later could be that of anybody's server. A change that another one overtakes is made again.
 * What was queued before still goes out: the target wanted it when it came.
 */
export async function changeTarget(
  subscriber: Subscriber,
  { name, isOwner }: { name: string; isOwner: boolean },
  changes: TargetChanges,
  context: TargetContext,
): Promise<ChangedTarget> {
  const proven = new Set<string>();
  for (let tries = 0; tries < maxTries; tries++) {
    const settings = await existingSettings(subscriber, context.targets);
    const plan = planOf(settings, name, changes);
    const { target, url, isMoved } = plan;
    if (!isOwner && needsOwner(plan)) throw new ServiceError('workspace.not-owner');
    rejectFaults(plan);
    if (isMoved && url !== undefined) await rejectUnsafe([{ field: 'url', url }], context.checkUrl);
    const stored = storedChanges(plan);
    const made = await secretsFor(plan, context, proven);
    const all = { ...stored, ...made.all };
    const result = target ? await changeStored(plan, target, all, context) : await create(plan, all, context);
    if (result) return { ...result, ...made.shown };
  }
  throw new Error('The target kept changing');
}

/** Throws `target.too-many` if the number can have no further target. */
export function requireRoom(settings: DeliverySettings): void {
  const names = targetsOf(settings).filter(isNamed).map(nameOf);
  if (names.length < maxNamedTargets) return;
  throw new ServiceError('target.too-many', { values: { max: maxNamedTargets, targets: names.join(', ') } });
}

/** Makes the target; `undefined` if another request was faster. */
async function create(
  { settings, name }: Plan,
  changes: StoredTargetChanges,
  { targets }: TargetContext,
): Promise<ChangedTarget | undefined> {
  requireRoom(settings);
  const { subscriber } = settings;
  const target = newNamedTarget(name);
  const secret = createSecret();
  const isMade = await targets.createTarget(subscriber.id, target, { ...changes, url: String(changes.url), secret });
  return isMade ? { settings: await existingSettings(subscriber, targets), target, secret } : undefined;
}

/** Changes the target; `undefined` if another request was faster. */
async function changeStored(
  { settings, record }: Plan,
  target: Target,
  changes: StoredTargetChanges,
  context: TargetContext,
): Promise<ChangedTarget | undefined> {
  if (Object.keys(changes).length === 0) return { settings, target };
  const { subscriber } = settings;
  const { version } = record;
  if (!(await context.targets.changeTarget(subscriber.id, target, { ...changes, version }))) return undefined;
  const after = await existingSettings(subscriber, context.targets);
  // Read after the change: a breaker may have opened meanwhile.
  if (changes.url !== undefined) await resetBreaker(subscriber.id, target, after.targets[target]?.breaker, context);
  return { settings: after, target };
}

/** By then, the request that deletes the target is over. */
const discardAfterSeconds = 30;

export interface DeletionContext {
  targets: Pick<TargetStore, 'read' | 'deleteTarget'>;
  queue: NotificationQueue;
}

/** Deletes a target with a name of its own. What waits for it is discarded when its time comes, and never sent. */
export async function deleteTarget(subscriber: Subscriber, name: string, context: DeletionContext): Promise<void> {
  if (isBuiltIn(name)) throw new ServiceError('target.built-in', { values: { target: name } });
  const settings = await existingSettings(subscriber, context.targets);
  const target = existingNamedTarget(settings, name);
  // What is held has no time, so a drain of the deleted target ends it. It is sent first, in case this process dies.
  const message = { task: 'drain', subscriber: subscriber.id, target, token: newId() } as const;
  await context.queue.send([{ message, delaySeconds: discardAfterSeconds }]);
  if (!(await context.targets.deleteTarget(subscriber.id, target))) throw targetNotFound([]);
}

type Plan = ReturnType<typeof planOf>;

/** A change as it would be made to what is stored: the URL and the format that the target will have. */
function planOf(settings: DeliverySettings, name: string, changes: TargetChanges) {
  const target = findTarget(settings, name);
  const record = (target && settings.targets[target]) ?? newTarget();
  const isOwn = !isBuiltIn(name);
  const setsUrl = isOwn || changes.format !== undefined;
  const url = setsUrl && changes.url !== undefined ? (changes.url ?? undefined) : record.url;
  const before: Format = record.format ?? 'standard';
  const format = changes.format ?? before;
  const isMoved = !isSameUrl(url, record.url);
  return {
    settings,
    name,
    target,
    record,
    changes,
    isOwn,
    setsUrl,
    url,
    isMoved,
    format,
    isNewFormat: format !== before,
  };
}

/** Whoever sends back what a response showed changes neither format nor URL. */
function needsOwner({ isOwn, isMoved, isNewFormat, changes: { app_secret, verify_token } }: Plan): boolean {
  return isOwn || isMoved || isNewFormat || app_secret !== undefined || verify_token !== undefined;
}

function rejectFaults(plan: Plan): void {
  const { name, record, changes, isOwn, setsUrl } = plan;
  const { url, headers } = changes;
  if (!setsUrl && url !== undefined && !isSameUrl(url ?? undefined, record.url)) {
    throw new ServiceError('target.other-url', { values: { target: name } });
  }
  const isMeta = plan.format === 'meta';
  const faults = [
    ...eventFaults(plan),
    ...headerFaults(Array.isArray(headers) ? {} : (headers ?? {})),
    ...(['app_secret', 'verify_token'] as const).flatMap((field): FieldError[] =>
      changes[field] === undefined || isMeta ? [] : [{ field, rule: 'meta_format', values: {} }],
    ),
  ];
  const needsUrl = isOwn || (isMeta && setsUrl);
  if (needsUrl && plan.url === undefined) faults.push({ field: 'url', rule: 'required', values: {} });
  if (faults.length > 0) throw invalidFields(faults);
  if (Array.isArray(headers) && !areNamesOf(record, headers)) throw invalidField('headers', 'headers_by_name');
}

/** What is stored of the change, apart from secrets. */
function storedChanges({ name, changes: { events, headers }, url, isMoved, format, isNewFormat }: Plan) {
  return {
    ...(isMoved && { url: url ?? null }),
    ...(isNewFormat && { format }),
    ...(events !== undefined && { events }),
    ...(headers !== undefined && !Array.isArray(headers) && { headers: headers && headersAt(name, url, headers) }),
  };
}

/**
 * Proves that the receiver takes Meta's format, if that or what it needs is set, and returns the secrets to store. An
 * app secret that nobody gave is made with the format, unless the target has one from before.
 */
async function secretsFor(
  { settings, target, changes, url, isMoved, format, isNewFormat }: Plan,
  { secrets, ask }: TargetContext,
  proven: Set<string>,
): Promise<{ all: Pick<StoredTargetChanges, 'app_secret' | 'verify_token'>; shown: { app_secret?: string } }> {
  const { verify_token, app_secret } = changes;
  const given = { ...(app_secret && { app_secret }), ...(verify_token && { verify_token }) };
  const isConcerned = isMoved || isNewFormat || verify_token !== undefined;
  if (format !== 'meta' || url === undefined || !isConcerned) return { all: given, shown: {} };
  const all = target && (await secrets.get(settings.subscriber.id));
  const known: OwnSecrets = (all && target && secretsOf(all, target)) ?? {};
  const token = verify_token ?? known.verify_token;
  if (token === undefined) throw invalidField('verify_token', 'required');
  await requireHandshake('url', { url, token }, ask, proven);
  if (app_secret ?? known.app_secret) return { all: given, shown: {} };
  const made = randomBytes(32).toString('hex');
  return { all: { ...given, app_secret: made }, shown: { app_secret: made } };
}

/** Whether a list has the names of the target's headers, and nothing else. Case and order mean nothing in headers. */
function areNamesOf(record: TargetRecord, list: readonly string[]): boolean {
  return isDeepStrictEqual(list.map((name) => name.toLowerCase()).toSorted(), headerNames(record).toSorted());
}

/** URLs are the same if they lead to the same place, however they are written. */
function isSameUrl(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && URL.parse(one)?.href === URL.parse(other)?.href;
}

function headersAt(name: string, url: string | undefined, headers: Readonly<Record<string, string>>) {
  if (Object.keys(headers).length === 0) return null;
  if (url === undefined) throw invalidField(name, 'url_not_set');
  return storedHeaders(headers, url);
}

/** A name that no event has would keep everything from the target. Those that stay have to suit a new format, too. */
function eventFaults({ settings, name, target, record, changes, format, isNewFormat }: Plan): FieldError[] {
  const { subscriber } = settings;
  const { events = isNewFormat ? record.events : undefined } = changes;
  const { has, examples } = eventNamesOf(subscriber, target ?? newNamedTarget(name), format);
  return (events ?? []).flatMap((event, index): FieldError[] => {
    const field = `events.${index}`;
    if (!has(event)) return [{ field, rule: 'event_name', values: { examples: examples.join(', ') } }];
    const hasForm = format === 'standard' || !isWorkspace(subscriber) || !isOfService(event);
    return hasForm ? [] : [{ field, rule: 'event_without_form', values: {} }];
  });
}

/** Rejects URLs to which nothing may be sent. */
export async function rejectUnsafe(
  asked: readonly { field: string; url: string }[],
  checkUrl: (url: string) => Promise<UrlFault | undefined>,
): Promise<void> {
  const faults = await Promise.all(
    asked.map(async ({ field, url }) => {
      const fault = await checkUrl(url);
      return fault ? [{ field, rule: `url_${fault}` as const, values: {} }] : [];
    }),
  );
  if (faults.flat().length > 0) throw invalidFields(faults.flat());
}
