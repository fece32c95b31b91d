import { keys } from '#shared/aws/keys.ts';
import type { Key, Table } from '#shared/aws/table.ts';
import { assign, type Condition, type ItemUpdate, writeTogether } from '#shared/aws/write.ts';
import type { StoredHeaders } from './receiver-headers.ts';
import {
  type BuiltInTarget,
  isNamed,
  maxNamedTargets,
  type NamedTarget,
  nameOf,
  newTarget,
  type Target,
  type TargetRecord,
} from './subscriber.ts';
import type { TargetChanges } from './webhook-settings.ts';

/** The changes of a target as they are stored. */
export interface StoredTargetChanges extends Omit<TargetChanges, 'headers'> {
  headers?: StoredHeaders | null | undefined;
  /** The version to which the change applies; without it, it applies to any. */
  version?: number | undefined;
}

/** What a target with a name of its own begins with. */
export interface NewTarget extends Omit<StoredTargetChanges, 'version'> {
  url: string;
  /** Its signing secret. */
  secret: string;
}

/** What is set for a target with a name of its own, which is made if there is a secret for it. */
export interface NamedTargetChange {
  subscriber: string;
  target: NamedTarget;
  changes: StoredTargetChanges | NewTarget;
}

/** Changes of targets. */
export const targetChanges = (table: Table) => ({
  /**
   * Sets the URLs of targets, or removes them (`null`) and notes the version with which they were removed: all of them
   * or none. `false` when one has another version than in `seen`, or the subscriber does not exist.
   */
  setUrls(
    subscriber: string,
    urls: Partial<Record<BuiltInTarget, string | null>>,
    seen: Partial<Record<Target, Pick<TargetRecord, 'version'>>> = {},
  ): Promise<boolean> {
    const changes = Object.entries(urls).flatMap(([name, url]) => {
      const target = name as BuiltInTarget;
      return updatesOf(table, subscriber, target, { url, version: seen[target]?.version });
    });
    return writeTogether(table, changes);
  },

  /** Changes what a target gets, and its secrets, in one write; `false` when it has another version, or is deleted. */
  changeTarget: (subscriber: string, target: Target, changes: StoredTargetChanges): Promise<boolean> =>
    writeTogether(table, updatesOf(table, subscriber, target, changes)),

  /**
   * Creates a target with a name of its own; `false` when the subscriber has one of this name, as many as it may have,
   * or does not exist.
   */
  createTarget: (subscriber: string, target: NamedTarget, settings: NewTarget): Promise<boolean> =>
    writeTogether(table, creationsOf(table, subscriber, target, settings)),

  /** Creates and changes targets of several subscribers, at most 33: all of them, or none. */
  setTargets(all: readonly NamedTargetChange[]): Promise<boolean> {
    const commands = all.map(({ subscriber, target, changes }) =>
      'secret' in changes
        ? creationsOf(table, subscriber, target, changes)
        : updatesOf(table, subscriber, target, changes),
    );
    return writeTogether(table, commands.flat());
  },

  /** Deletes such a target with its secrets; `false` when it does not exist. */
  deleteTarget(subscriber: string, target: NamedTarget): Promise<boolean> {
    const { name: TableName } = table;
    const Key = keys.target(subscriber, target);
    return writeTogether(table, [
      { Delete: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' } },
      { Delete: { TableName, Key: keys.targetSecrets(subscriber, target) } },
      nameUpdate(table, subscriber, target, 'DELETE'),
    ]);
  },
});

function updatesOf(
  table: Table,
  subscriber: string,
  target: Target,
  { version, ...changes }: StoredTargetChanges,
): ItemUpdate[] {
  const secrets = secretsUpdates(table, subscriber, target, changes);
  const removed = changes.url === null ? ['removed_version'] : [];
  const notes = [...removed, ...(secrets.length > 0 ? ['secrets_version'] : [])];
  const update = newVersionOf(table, subscriber, target, recordOf(changes), notes);
  const sameVersion = {
    ConditionExpression: '#version = :version',
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':version': version },
  };
  return [{ ...update, ...(version !== undefined && sameVersion) }, ...secrets];
}

function creationsOf(
  table: Table,
  subscriber: string,
  target: NamedTarget,
  { secret, ...settings }: NewTarget,
): ItemUpdate[] {
  const create = (key: Key, record: object) => ({
    TableName: table.name,
    Key: { ...key },
    ConditionExpression: 'attribute_not_exists(pk)',
    ...assign({ ...record }),
  });
  return [
    nameUpdate(table, subscriber, target, 'ADD'),
    create(keys.target(subscriber, target), { ...newTarget(), ...recordOf(settings).set }),
    create(keys.targetSecrets(subscriber, target), { current: secret, ...secretsOf(settings) }),
  ];
}

/** The secrets of a subscriber also have the names of its targets, in one set: so no name is there twice. */
function nameUpdate({ name: TableName }: Table, subscriber: string, target: NamedTarget, action: 'ADD' | 'DELETE') {
  const name = nameOf(target);
  const isFree = {
    ConditionExpression:
      'attribute_exists(pk) AND NOT contains(#named, :name) AND (attribute_not_exists(#named) OR size(#named) < :max)',
    ExpressionAttributeValues: { ':names': new Set([name]), ':name': name, ':max': maxNamedTargets },
  };
  return {
    ...{ TableName, Key: keys.secrets(subscriber), UpdateExpression: `${action} #named :names` },
    ExpressionAttributeNames: { '#named': 'named' },
    ...(action === 'ADD' ? isFree : { ExpressionAttributeValues: { ':names': new Set([name]) } }),
  };
}

/** What the item of a target gets and loses. The format of the specification is that of a target without any. */
function recordOf({ url, format, events, headers }: Omit<StoredTargetChanges, 'version'>) {
  const values = { url, format: format === 'standard' ? null : format, events, headers: headers && namesOf(headers) };
  const members = Object.entries(values);
  return {
    set: Object.fromEntries(members.filter(([, value]) => value !== null)),
    removed: members.flatMap(([name, value]) => (value === null ? [name] : [])),
  };
}

/** The update of what is secret about a target, if the change has any of it. */
function secretsUpdates({ name: TableName }: Table, subscriber: string, target: Target, changes: StoredTargetChanges) {
  const { headers, app_secret, verify_token } = changes;
  if (headers === undefined && app_secret === undefined && verify_token === undefined) return [];
  // A built-in target has no secrets of its own until they are set.
  const exists = isNamed(target) && { ConditionExpression: 'attribute_exists(pk)' };
  const Key = keys.targetSecrets(subscriber, target);
  return [{ TableName, Key, ...exists, ...assign(secretsOf(changes), headers === null ? ['headers'] : []) }];
}

const secretsOf = ({ headers, app_secret, verify_token }: StoredTargetChanges) => ({
  ...{ app_secret, verify_token },
  ...(headers && { headers: withAnyNames(headers) }),
});

/** The names of headers, which others may read. */
const namesOf = ({ origin, headers }: StoredHeaders) => ({ origin, names: Object.keys(headers).toSorted() });

/** A plain object with a member `constructor` is not a map to the SDK (`marshall`). The table stores the same for a `Map`. */
const withAnyNames = ({ origin, headers }: StoredHeaders) => ({ origin, headers: new Map(Object.entries(headers)) });

/** The condition that the target has this URL. */
export const hasUrl = (url: string): Condition => ({
  ConditionExpression: '#url = :url',
  ExpressionAttributeNames: { '#url': 'url' },
  ExpressionAttributeValues: { ':url': url },
});

/**
 * The command that makes an update of a target that exists, as a change that affects deliveries. The attributes in
 * `notes` get the new version: DynamoDB evaluates the expressions of an update on the item before the update.
 */
export function newVersionOf(
  { name: TableName }: Table,
  subscriber: string,
  target: Target,
  { set = {}, removed = [] }: { set?: Readonly<Record<string, unknown>>; removed?: readonly string[] },
  notes: readonly string[] = [],
) {
  const versions = Object.fromEntries(['version', ...notes].map((name) => [name, '#version + :one']));
  const update = assign(set, removed, versions, { ':one': 1 });
  return { TableName, Key: keys.target(subscriber, target), ConditionExpression: 'attribute_exists(pk)', ...update };
}
