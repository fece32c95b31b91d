import type { Outcome } from './ledger.ts';
import type { FunctionUse, LoadResult, Waits } from './run-load.ts';

/** The most write units a second that a partition takes (DynamoDB, service quotas). */
export const maxUnitsOfPartition = 1_000;

const receiverNames = {
  healthy: 'healthy receivers',
  slow: 'slow receivers',
  hanging: 'dead receivers that hang',
  down: 'dead receivers that take no connection',
} as const;

const functionNames = {
  ingestion: 'ReceiveEvents',
  delivery: 'DeliverNotifications',
  sweep: 'SweepDeliveries',
} as const;

/** What is wrong with the outcome of a load; nothing when the service kept its promises. */
export function findFaults({ outcome, options, repeats, functions }: LoadResult): string[] {
  const counts = Object.values(outcome);
  const sum = (names: (keyof Outcome)[]) =>
    counts.reduce((total, of) => total + names.reduce((part, name) => part + (of[name] ?? 0), 0), 0);
  const counted = sum(['delivered', 'held', 'waiting', 'sending', 'exhausted', 'queued']);
  const expected = Math.floor(options.notifications / options.targets) * options.targets;
  const { failures, timeouts } = functions.delivery;
  return [
    ...(sum(['lost']) > 0 ? [`${sum(['lost'])} notifications are lost`] : []),
    ...(sum(['discarded']) > 0 ? [`${sum(['discarded'])} notifications were discarded`] : []),
    ...(counted !== expected ? [`${expected} notifications were sent, and ${counted} are known`] : []),
    ...(repeats > 0 ? [`${repeats} notifications came twice`] : []),
    ...(failures + timeouts > 0 ? [`${failures} batches failed, ${timeouts} ran out of time`] : []),
  ];
}

/** The result as lines of text. */
export function describeLoad(result: LoadResult): string[] {
  const { notifications } = result.options;
  const each = (count: number) => figure(count / notifications);
  const total = Object.values(result.dollars).reduce((sum, amount) => sum + amount);
  const aMillion = (amount: number) => `$${((amount / notifications) * 1e6).toFixed(2)}`;
  return [
    `Notifications: ${figure(notifications)} in ${figure(result.loadSeconds)} s`,
    ...outcomeLines(result),
    '',
    'From the arrival of an event to its POST, in ms (median, 99th percentile, longest)',
    ...waitLines('arrived in the first minute', result.waits.firstMinute),
    ...waitLines('arrived later', result.waits.later),
    ...drainLines(result),
    '',
    'Queues',
    `  most messages that waited: ${figure(result.queue.maxVisible)}`,
    `  most messages with a delay: ${figure(result.queue.maxDelayed)}`,
    '',
    'Functions (most at once, average and longest ms)',
    ...Object.entries(result.functions).map(([name, use]) => functionLine(functionNames[name as 'delivery'], use)),
    `  messages in a batch: ${figure(result.averageBatch)}`,
    '',
    'AWS calls for a notification',
    ...[...result.calls].map(([action, count]) => `  ${action}: ${each(count)}`),
    `  in all: ${each([...result.calls.values()].reduce((sum, count) => sum + count, 0))}`,
    '',
    'Write units',
    `  for a notification: ${each(result.writeUnits)}`,
    ...Object.entries(result.writes).map(
      ([place, load]) =>
        `  ${place}: at most ${figure(load.maxUnits)} a second, ${figure(load.maxUnitsOfKey)} on one partition key` +
        `${load.busiestKey && ` (${nameOf(load.busiestKey)})`}${load.maxUnitsOfKey > maxUnitsOfPartition ? ', TOO MANY' : ''}`,
    ),
    `  most on one key of each kind: ${kindsOf(result)}`,
    `Read units for a notification: ${each(result.readUnits)}`,
    `Bytes stored for a delivery: ${figure(result.storedBytes)}`,
    '',
    `List price of a million notifications: ${aMillion(total)}`,
    ...Object.entries(result.dollars).map(([name, amount]) => `  ${name}: ${aMillion(amount)}`),
    ...(result.logged.size > 0 ? ['', 'Logged'] : []),
    ...[...result.logged].map(([event, count]) => `  ${event}: ${figure(count)}`),
  ];
}

/** The kinds of keys, the busiest first. */
function kindsOf({ writes }: LoadResult): string {
  const kinds = Object.values(writes).flatMap(({ maxUnitsOfKind }) => [...maxUnitsOfKind]);
  const busiestFirst = kinds.sort(([, one], [, other]) => other - one);
  return busiestFirst.map(([kind, units]) => `${kind} ${figure(units)}`).join(', ');
}

function outcomeLines({ outcome }: LoadResult): string[] {
  return Object.entries(outcome).flatMap(([kind, counts]) => {
    const parts = Object.entries(counts).map(([state, count]) => `${figure(count)} ${state}`);
    return parts.length > 0 ? [`  to ${receiverNames[kind as 'slow']}: ${parts.join(', ')}`] : [];
  });
}

const waitLines = (when: string, waits: LoadResult['waits']['later']) =>
  Object.entries(waits).map(
    ([kind, { p50, p99, max }]: [string, Waits]) =>
      `  ${receiverNames[kind as 'slow']}, ${when}: ${figure(p50)}, ${figure(p99)}, ${figure(max)}`,
  );

const drainLines = ({ drainSeconds }: LoadResult) =>
  (['healthy', 'slow'] as const).flatMap((kind) => {
    const seconds = drainSeconds[kind];
    return seconds === undefined
      ? []
      : [`  ${receiverNames[kind]} have all of them ${figure(Math.max(0, seconds))} s after the last event`];
  });

const functionLine = (name: string, { maxAtOnce, averageMs, longestMs, invocations, timeouts }: FunctionUse) =>
  `  ${name}: ${figure(maxAtOnce)}, ${figure(averageMs)}, ${figure(longestMs)}; ${figure(invocations)} invocations` +
  (timeouts > 0 ? `, ${figure(timeouts)} out of time` : '');

/** A key without ids. */
const nameOf = (key: string) => key.replace(/[\da-f]{8}-[\da-f-]{27}/g, 'number');

const figure = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value >= 100 ? 0 : value >= 10 ? 1 : 3 });
