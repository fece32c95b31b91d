import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Subscriber } from '#shared/domain/subscribers/subscriber.ts';
import { newTarget, type TargetRecord, targets, targetsOf } from '#shared/domain/subscribers/target.ts';
import type { DeliverySettings } from '#shared/domain/subscribers/target-store.ts';
import { fromItem } from '../table/item.ts';
import { keys } from '../table/keys.ts';

type Item = Readonly<Record<string, unknown>>;

/** The items with which a subscriber begins, besides its own: its targets and its secrets. */
export function itemsOfNewSubscriber(subscriber: Subscriber, secret: string): Item[] {
  const { id } = subscriber;
  return [
    ...targetsOf(subscriber).map((target) => ({ ...keys.target(id, target), ...newTarget() })),
    { ...keys.secrets(id), current: secret, headers: {} },
  ];
}

/** The settings in the items of a subscriber's partition; `undefined` when the subscriber itself is not among them. */
export function settingsIn(items: readonly Item[]): DeliverySettings | undefined {
  const find = <T>(sk: string) => fromItem<T>(items.find((item) => item.sk === sk));
  const subscriber = find<PhoneNumber>(numberSk) ?? find<Subscriber>(workspaceSk);
  if (!subscriber) return undefined;
  const records = targets.map((target) => [target, find<TargetRecord>(keys.target('any', target).sk) ?? newTarget()]);
  return { subscriber, targets: Object.fromEntries(records) };
}

const { sk: numberSk } = keys.number('any');
const { sk: workspaceSk } = keys.workspaceSubscriber('any');
