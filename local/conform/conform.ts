import { isObject } from '#shared/base/json/json-object.ts';
import { type Exchange, isExchange, type Json, type Recording } from '../recording/recording.ts';
import { eventsOf, type SingleEvent, sampleEvents } from './events.ts';
import { IdMap } from './ids.ts';
import { type Answer, type Platform, startPlatform } from './platform.ts';
import { accountsIn } from './population.ts';
import { play, prepare } from './prepare.ts';
import { closest, compareShapes, type Difference } from './shapes.ts';

/** An entry of a recording that the simulated platform does not match. */
export interface Mismatch {
  /** In the file, from 1. */
  readonly line: number;
  /** The request, or the kind of the event. */
  readonly subject: string;
  readonly differences: readonly Difference[];
}

export interface Conformity {
  readonly requests: number;
  readonly events: number;
  readonly mismatches: readonly Mismatch[];
}

/** Plays a recording against a fresh simulated platform, and says where the two platforms differ. */
export async function conform({ entries }: Recording): Promise<Conformity> {
  const platform = await startPlatform(accountsIn(entries));
  const ids = new IdMap();
  const mismatches: Mismatch[] = [];
  const recordedEvents: { line: number; event: SingleEvent }[] = [];
  let requests = 0;
  try {
    for (const [index, entry] of entries.entries()) {
      const line = index + 2;
      if (isExchange(entry)) {
        requests++;
        await prepare(platform, entry, ids);
        const differences = await replay(platform, entry, ids);
        const { method, path } = entry.request;
        if (differences.length > 0) mismatches.push({ line, subject: `${method} ${path}`, differences });
      } else {
        const events = eventsOf(entry.event);
        recordedEvents.push(...events.map((event) => ({ line, event })));
        for (const event of events) await play(platform, event, ids);
      }
    }
    // What the simulated platform has sent by itself counts, too, so its events are compared at the end.
    await allSent(platform);
    const simulated = Map.groupBy([...sampleEvents(), ...platform.events.flatMap(eventsOf)], ({ kind }) => kind);
    for (const { line, event } of recordedEvents) {
      const differences = differencesOf(event, simulated.get(event.kind));
      if (differences.length > 0) mismatches.push({ line, subject: `event ${event.kind}`, differences });
    }
  } finally {
    await platform.close();
  }
  mismatches.sort((one, other) => one.line - other.line);
  return { requests, events: recordedEvents.length, mismatches };
}

function differencesOf({ value, kind }: SingleEvent, candidates: readonly SingleEvent[] = []): Difference[] {
  if (candidates.length === 0) return [{ kind: 'event', member: kind }];
  return closest(
    value,
    candidates.map((candidate) => candidate.value),
  );
}

async function replay(platform: Platform, exchange: Exchange, ids: IdMap): Promise<Difference[]> {
  const answer = await platform.send(exchange, ids);
  const { status, body } = exchange.response;
  ids.learn(body?.json, answer.json);
  if (answer.status !== status) {
    return [
      { kind: 'status', member: 'status', recorded: status, simulated: statusOf(answer) },
      ...codes(body?.json, answer.json),
    ];
  }
  return bodies(exchange, answer);
}

/** Bytes are no JSON on either side; their content says nothing about the platform. */
function bodies({ response: { body } }: Exchange, answer: Answer): Difference[] {
  if (body?.bytes !== undefined) {
    return answer.json === undefined && !answer.isEmpty ? [] : [{ kind: 'type', member: 'body', recorded: 'bytes' }];
  }
  return compareShapes(body?.json, answer.json);
}

/** A status, with the reason that the simulated platform gives. */
function statusOf({ status, json }: Answer): number | string {
  const [message, data] = [errorMember(json, 'message'), errorMember(json, 'error_data')];
  const details = isObject(data) ? ` ${data.details}` : '';
  return message === undefined ? status : `${status} (${message}${details})`;
}

function codes(recorded: Json, simulated: Json): Difference[] {
  return ['code', 'error_subcode'].flatMap((name): Difference[] => {
    const [one, other] = [errorMember(recorded, name), errorMember(simulated, name)];
    return one === other ? [] : [{ kind: 'code', member: `error.${name}`, recorded: one, simulated: other }];
  });
}

const errorMember = (json: Json, name: string) =>
  isObject(json) && isObject(json.error) ? json.error[name] : undefined;

/** Waits until the simulated platform has sent what it sends by itself. */
async function allSent(platform: Platform): Promise<void> {
  for (let last = -1; last !== platform.events.length; ) {
    last = platform.events.length;
    await new Promise((resolve) => setTimeout(resolve, quietMs));
  }
}

/** Statuses follow each other at once. */
const quietMs = 250;
