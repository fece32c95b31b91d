import { isObject } from '#shared/base/json/json-object.ts';
import { type Exchange, isExchange, type Json, type Recording } from '../recording/recording.ts';
import { errorMember, followsFromState } from './errors.ts';
import { eventsOf, type SingleEvent, sampleEvents } from './events.ts';
import { IdMap } from './ids.ts';
import { type Answer, type Platform, startPlatform } from './platform.ts';
import { accountsIn } from './population.ts';
import { play, prepare } from './prepare.ts';
import { compareShapes, type Difference, fewest } from './shapes.ts';

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
  /** The requests whose outcome follows from what the recording does not show. */
  readonly notComparable: readonly NotComparable[];
}

interface NotComparable {
  readonly line: number;
  readonly subject: string;
  /** The code of the recorded error. */
  readonly code: number;
}

/** Plays a recording against a fresh simulated platform, and says where the two platforms differ. */
export async function conform({ entries }: Recording): Promise<Conformity> {
  const platform = await startPlatform(accountsIn(entries));
  const ids = new IdMap();
  const mismatches: Mismatch[] = [];
  const notComparable: NotComparable[] = [];
  const recordedEvents: { line: number; event: SingleEvent }[] = [];
  try {
    for (const [index, entry] of entries.entries()) {
      const line = index + 2;
      if (isExchange(entry)) {
        await prepare(platform, entry, ids);
        const differences = await replay(platform, entry, ids);
        const code = errorMember(entry.response.body?.json, 'code');
        const subject = `${entry.request.method} ${entry.request.path}`;
        if (differences.length === 0) continue;
        if (isAccepted(differences) && followsFromState(code)) notComparable.push({ line, subject, code });
        else mismatches.push({ line, subject, differences });
      } else {
        const events = eventsOf(entry.event);
        recordedEvents.push(...events.map((event) => ({ line, event })));
        for (const event of events) await play(platform, event, ids);
      }
    }
    // What the simulated platform has sent by itself counts, too, so its events are compared at the end.
    await allSent(platform);
    mismatches.push(...compareEvents(recordedEvents, platform.events.flatMap(eventsOf)));
  } finally {
    await platform.close();
  }
  mismatches.sort((one, other) => one.line - other.line);
  return { requests: entries.filter(isExchange).length, events: recordedEvents.length, mismatches, notComparable };
}

/** Whether the simulated platform did what the recorded one rejected. */
const isAccepted = (differences: readonly Difference[]) =>
  differences.some(({ kind, simulated }) => kind === 'status' && simulated === 200);

/** Compares each event with the samples and with what the simulated platform has sent. */
function compareEvents(recorded: readonly { line: number; event: SingleEvent }[], sent: readonly SingleEvent[]) {
  const simulated = Map.groupBy([...sampleEvents(), ...sent], ({ kind }) => kind);
  return recorded.flatMap(({ line, event }): Mismatch[] => {
    const differences = differencesOf(event, simulated.get(event.kind));
    return differences.length === 0 ? [] : [{ line, subject: `event ${event.kind}`, differences }];
  });
}

function differencesOf(event: SingleEvent, candidates: readonly SingleEvent[] = []): Difference[] {
  if (candidates.length === 0) return [{ kind: 'event', member: event.kind }];
  return fewest(candidates, ({ envelope, value }) => [
    ...compareShapes(event.envelope, envelope),
    ...compareShapes(event.value, value),
  ]);
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

/** Waits until the simulated platform has sent what it sends by itself. */
async function allSent(platform: Platform): Promise<void> {
  for (let last = -1; last !== platform.events.length; ) {
    last = platform.events.length;
    await new Promise((resolve) => setTimeout(resolve, quietMs));
  }
}

/** Statuses follow each other at once. */
const quietMs = 250;
