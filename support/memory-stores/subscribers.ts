import type { NumberStore } from '#shared/webhooks/number-store.ts';
import {
  builtInTargets,
  builtInTargetsOf,
  type DeliverySettings,
  isNamed,
  maxNamedTargets,
  nameOf,
  newTarget,
  type PhoneNumber,
  type Subscriber,
  type Target,
  type TargetRecord,
} from '#shared/webhooks/subscriber.ts';
import type { SecretStore, TargetStore } from '#shared/webhooks/subscriber-store.ts';
import type { StoredTargetChanges } from '#shared/webhooks/target-change-store.ts';
import { createSecret, type OwnSecrets, type SubscriberSecrets } from '#shared/webhooks/webhook-signature.ts';
import { defined, type Memory, type Run, type StoredTarget, targetKey } from './memory.ts';

export function targetsIn(memory: Memory, run: Run): TargetStore {
  function settingsOf(id: string): DeliverySettings | undefined {
    const subscriber = memory.subscribers.get(id);
    if (subscriber === undefined) return undefined;
    const recordOf = (target: Target) => memory.targets.get(targetKey(id, target))?.record ?? newTarget();
    const all = new Set<Target>([...builtInTargets, ...memory.targetsOf(id)]);
    const targets = Object.fromEntries(Array.from(all, (target) => [target, { ...recordOf(target) }]));
    return { subscriber: { ...subscriber }, targets } as DeliverySettings;
  }

  return {
    read: (subscriber) => run('read', { subscriber }, () => settingsOf(subscriber)),

    findByPhoneNumberId: (phoneNumberId) =>
      run('findByPhoneNumberId', { phoneNumberId }, () => {
        const numbers = memory.subscribers.values() as PhoneNumber[];
        const number = numbers.find(({ phone_number_id }) => phone_number_id === phoneNumberId);
        return number && (settingsOf(number.id) as DeliverySettings & { subscriber: PhoneNumber });
      }),

    setUrls: (subscriber, urls, seen = {}) =>
      run('setUrls', { subscriber, urls }, () => {
        const changes = Object.entries(urls) as [Target, string | null][];
        const stored = changes.map(([target]) => {
          const found = memory.targets.get(targetKey(subscriber, target));
          const version = seen[target]?.version ?? found?.record.version;
          return found?.record.version === version ? found : undefined;
        });
        if (stored.includes(undefined)) return false;
        for (const [index, [target, url]] of changes.entries()) {
          const { record, listed } = stored[index] as StoredTarget;
          const { url: _, ...others } = record;
          const changed = url === null ? withNewVersion(others, 'removed_version') : withNewVersion({ ...others, url });
          memory.writeTarget(subscriber, target, { record: changed, listed });
        }
        return true;
      }),

    changeTarget: (subscriber, target, { version, ...changes }) =>
      run('changeTarget', { subscriber, target, ...changes, version }, () => {
        const stored = memory.targets.get(targetKey(subscriber, target));
        const secrets = memory.secrets.get(subscriber);
        if (!stored || !secrets || (version !== undefined && stored.record.version !== version)) return false;
        const changed = changedSecrets(secrets, target, changes);
        const notes = [
          ...(changes.url === null ? (['removed_version'] as const) : []),
          ...(changed ? (['secrets_version'] as const) : []),
        ];
        const record = withNewVersion(changedRecord(stored.record, changes), ...notes);
        memory.writeTarget(subscriber, target, { ...stored, record });
        if (changed) memory.writeSecrets(subscriber, changed);
        return true;
      }),

    createTarget: (subscriber, target, { secret, app_secret, verify_token, ...settings }) =>
      run('createTarget', { subscriber, target, ...settings }, () => {
        const secrets = memory.secrets.get(subscriber);
        const names = memory.targetsOf(subscriber).filter(isNamed).map(nameOf);
        if (!secrets || names.includes(nameOf(target)) || names.length >= maxNamedTargets) return false;
        const headers = settings.headers ?? undefined;
        const own = { current: secret, ...defined({ app_secret, verify_token, headers }) };
        // Write the record last, because its secrets must be there before anyone can see it.
        memory.writeSecrets(subscriber, { ...secrets, targets: { ...secrets.targets, [target]: own } });
        memory.writeTarget(subscriber, target, { record: changedRecord(newTarget(), settings), listed: false });
        return true;
      }),

    setTargets: () => {
      throw new Error('Only registrations do this');
    },

    deleteTarget: (subscriber, target) =>
      run('deleteTarget', { subscriber, target }, () => {
        const secrets = memory.secrets.get(subscriber);
        if (!secrets || !memory.targets.get(targetKey(subscriber, target))) return false;
        memory.deleteTarget(subscriber, target);
        const { [target]: _, ...others } = secrets.targets ?? {};
        const { targets: __, ...shared } = secrets;
        memory.writeSecrets(subscriber, { ...shared, ...(Object.keys(others).length > 0 && { targets: others }) });
        return true;
      }),
  };
}

/** The secrets with the changes of one target; `undefined` if none is secret. */
function changedSecrets(
  secrets: SubscriberSecrets,
  target: Target,
  { headers, app_secret, verify_token }: StoredTargetChanges,
): SubscriberSecrets | undefined {
  const given = defined({ app_secret, verify_token });
  if (headers === undefined && Object.keys(given).length === 0) return undefined;
  return withOwn(secrets, target, assigned({ ...secrets.targets?.[target], ...given }, 'headers', headers));
}

const withOwn = (secrets: SubscriberSecrets, target: Target, own: OwnSecrets): SubscriberSecrets => ({
  ...secrets,
  targets: { ...secrets.targets, [target]: own },
});

/** The record of a target with changes of what is no secret. */
function changedRecord(record: TargetRecord, { url, format, events, headers }: StoredTargetChanges): TargetRecord {
  const names = headers && { origin: headers.origin, names: Object.keys(headers.headers).toSorted() };
  const withUrl = assigned(assigned(record, 'url', url), 'format', format === 'standard' ? null : format);
  return assigned(assigned(withUrl, 'events', events), 'headers', names);
}

export function secretsIn(memory: Memory, run: Run): Pick<SecretStore, 'get' | 'replace'> {
  return {
    get: (subscriber) => run('get secrets', { subscriber }, () => memory.secrets.get(subscriber)),

    replace: (subscriber, expected, { current, replaced }, target) =>
      run('replace secrets', { subscriber: subscriber.id, target }, () => {
        const secrets = memory.secrets.get(subscriber.id);
        const own = target ? secrets?.targets?.[target] : secrets;
        if (!secrets || own?.current !== expected) return false;
        const signing = { current, ...defined({ replaced }) };
        const shared = { ...secrets, ...signing };
        const changed = target ? withOwn(secrets, target, { ...secrets.targets?.[target], ...signing }) : shared;
        memory.writeSecrets(subscriber.id, changed);
        noteNewSecrets(memory, subscriber, target ? [target] : builtInTargetsOf(subscriber));
        return true;
      }),
  };
}

/** Notes for each of these targets that its secrets have changed. */
function noteNewSecrets(memory: Memory, { id }: Pick<Subscriber, 'id'>, targets: readonly Target[]): void {
  for (const target of targets) {
    const stored = memory.targets.get(targetKey(id, target));
    const record = withNewVersion(stored?.record ?? newTarget(), 'secrets_version');
    memory.writeTarget(id, target, { listed: false, ...stored, record });
  }
}

export function numbersIn(memory: Memory, run: Run): Omit<NumberStore, 'listByWorkspace'> {
  return {
    create: (number, secret = createSecret()) =>
      run('create number', { number: number.id }, () => {
        const numbers = memory.subscribers.values() as PhoneNumber[];
        if (numbers.some(({ phone_number_id }) => phone_number_id === number.phone_number_id)) return false;
        memory.addSubscriber(number, secret);
        return true;
      }),

    get: (number) => run('get number', { number }, () => memory.subscribers.get(number) as PhoneNumber | undefined),

    set: (number, switched) =>
      run('set number', { number, ...switched }, () => {
        const stored = memory.subscribers.get(number);
        if (stored) memory.writeSubscriber({ ...stored, ...switched });
        return stored !== undefined;
      }),

    async delete({ id }) {
      memory.subscribers.delete(id);
      memory.secrets.delete(id);
      for (const target of memory.targetsOf(id)) memory.targets.delete(targetKey(id, target));
    },
  };
}

/** The record with another value of a member, without it (`null`), or as it is (`undefined`). */
function assigned<T extends object, Name extends keyof T>(record: T, name: Name, value: T[Name] | null | undefined): T {
  if (value === undefined) return record;
  const { [name]: _, ...others } = record;
  return (value === null ? others : { ...others, [name]: value }) as T;
}

/** A change that affects deliveries has a new version, which the members in `notes` get, too. */
function withNewVersion(target: TargetRecord, ...notes: ('removed_version' | 'secrets_version')[]): TargetRecord {
  const version = target.version + 1;
  return { ...target, version, ...Object.fromEntries(notes.map((note) => [note, version])) };
}
