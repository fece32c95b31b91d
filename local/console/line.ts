import { styleText } from 'node:util';
import { isObject, listOf } from '#shared/base/json.ts';
import { visibleLine } from '#shared/base/text.ts';
import type { SentWebhook } from '../graph/events/webhook-sender.ts';
import type { ShownRequest } from '../graph/http/request-log.ts';
import type { ShownDelivery } from './shown-delivery.ts';
import type { ConsoleChange } from './stream.ts';
import { subjectOf } from './subject.ts';
import type { Subscribers } from './subscribers.ts';

/** The topics that a terminal shows. What the built-in receiver gets has headers, which may be secret. */
export const shownTopics = ['requests', 'events', 'deliveries'];

type Tone = 'green' | 'yellow' | 'red';

/** What happened, in the columns of the terminal. It has no contents of messages. */
export interface Line {
  readonly at: string | number;
  readonly kind: 'request' | 'event' | 'delivery';
  /** The number or the workspace, if it is known. */
  readonly name: string;
  readonly what: string;
  readonly outcome: string;
  readonly tone: Tone;
  /** What comes next. */
  readonly next: string;
}

/** How people know numbers and workspaces, by all their ids. */
export type Names = ReadonlyMap<string, string>;

/** Says what a change means, if anything has come of it yet. */
export function lineOf({ topic, value }: ConsoleChange, names: Names): Line | undefined {
  if (value === undefined) return;
  if (topic === 'requests') return requestLine(value as ShownRequest, names);
  if (topic === 'events') return eventLine(value as SentWebhook, names);
  return topic === 'deliveries' ? deliveryLine(value as ShownDelivery, names) : undefined;
}

function requestLine(request: ShownRequest, names: Names): Line | undefined {
  const { at, method, path, operation, status, fault, duration_ms } = request;
  if (status === null && fault === null) return;
  const [id = ''] = path.split('/').filter((part) => names.has(part));
  return {
    at,
    kind: 'request',
    name: names.get(id) ?? '',
    what: operation ?? `${method} ${path}`,
    outcome: outcome(status, duration_ms),
    tone: toneOf(status !== null && status < 400),
    next: fault === null ? '' : `fault: ${fault}`,
  };
}

function eventLine({ body, attempts }: SentWebhook, names: Names): Line | undefined {
  const attempt = attempts.at(-1);
  if (attempt === undefined) return;
  const [entry] = listOf(Object(body).entry).filter(isObject);
  const [change] = listOf(entry?.changes).filter(isObject);
  const value = isObject(change?.value) ? change.value : {};
  const id = String(Object(value.metadata).phone_number_id ?? entry?.id);
  const isTaken = attempt.status === 200;
  return {
    at: attempt.at,
    kind: 'event',
    name: names.get(id) ?? '',
    what: subjectOf(value, String(change?.field ?? 'event')),
    outcome: outcome(attempt.status),
    tone: toneOf(isTaken),
    next: isTaken ? '' : 'the platform sends it again',
  };
}

const tones: Readonly<Record<ShownDelivery['state'], Tone>> = {
  sending: 'yellow',
  delivered: 'green',
  waiting: 'yellow',
  held: 'yellow',
  exhausted: 'red',
  discarded: 'red',
};

function deliveryLine(delivery: ShownDelivery, names: Names): Line | undefined {
  const { state, subscriber, target, subject, attempts, next_attempt_at, created_at } = delivery;
  if (state === 'sending') return;
  const attempt = attempts.at(-1);
  const result = attempt && outcome(attempt.status, attempt.duration_ms, attempt.error);
  return {
    at: attempt?.at ?? created_at,
    kind: 'delivery',
    name: names.get(subscriber) ?? subscriber,
    what: `${subject} → ${target}`,
    outcome: [state, ...(result === undefined ? [] : [result])].join(' '),
    tone: tones[state],
    next: nextOf(state, next_attempt_at),
  };
}

function nextOf(state: ShownDelivery['state'], nextAttemptAt: string | null): string {
  if (state === 'waiting' && nextAttemptAt !== null) return `next attempt ${textOfTime(nextAttemptAt)}`;
  if (state === 'held') return 'waits for the circuit breaker';
  return state === 'exhausted' ? 'replay it when the receiver works' : '';
}

function outcome(status: number | null, durationMs?: number, error?: string | null): string {
  const result = status === null ? (error ?? 'no response') : String(status);
  return durationMs === undefined ? result : `${result} ${durationMs} ms`;
}

const toneOf = (isGood: boolean): Tone => (isGood ? 'green' : 'red');

export const textOfTime = (at: string | number) => new Date(at).toLocaleTimeString('en-GB');

/** The line in aligned columns. Its colour only repeats what the words say. */
export function textOf({ at, kind, name, what, outcome: result, tone, next }: Line, isColoured: boolean): string {
  const columns = [textOfTime(at), kind.padEnd(8), visibleLine(name).padEnd(14), visibleLine(what).padEnd(32)];
  const coloured = isColoured ? styleText(tone, result, { validateStream: false }) : result;
  return [...columns, coloured, visibleLine(next)]
    .filter((part) => part !== '')
    .join('  ')
    .trimEnd();
}

export function namesIn({ numbers, workspaces }: Subscribers): Names {
  return new Map([
    ...workspaces.flatMap(({ id, waba_id, name }) => [[id, name] as const, [String(waba_id), name] as const]),
    ...numbers.flatMap(({ id, phone_number_id, display_phone_number: name }) => [
      [id, name] as const,
      [phone_number_id, name] as const,
    ]),
  ]);
}
