import type { Call } from '#local/graph/calls/calls.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge, Json, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { actOnCall } from './contact-acts.ts';

/** A call, with what the contact can do now, and its timeline. */
export function CallEntry({ call, snapshot }: { call: Call; snapshot: Snapshot }) {
  const isIncoming = call.direction === 'BUSINESS_INITIATED';
  const rings = call.state === 'RINGING' || call.state === 'PRE_ACCEPTED';
  return (
    <li class="call" data-state={call.state}>
      <p>
        <b>{isIncoming ? 'Incoming call' : 'Your call'}</b>{' '}
        <Badge tone={call.state === 'CONNECTED' ? 'good' : rings ? 'warn' : 'plain'}>{stateText(call)}</Badge>{' '}
        <Time at={call.started_at} />
      </p>
      <div class="row">
        {rings && isIncoming && (
          <>
            <ActionButton kind="primary" act={() => actOnCall(call.id, 'answer')}>
              Answer
            </ActionButton>
            <ActionButton kind="danger" act={() => actOnCall(call.id, 'reject')}>
              Reject
            </ActionButton>
          </>
        )}
        {((rings && !isIncoming) || call.state === 'CONNECTED') && (
          <ActionButton kind="danger" act={() => actOnCall(call.id, 'hang-up')}>
            Hang up
          </ActionButton>
        )}
      </div>
      <details>
        <summary>Timeline</summary>
        <ol class="timeline">
          {timelineOf(call, snapshot).map(({ at, text, detail }) => (
            <li>
              <Time at={at} /> {text}
              {detail !== undefined && <Json value={detail} label={text} />}
            </li>
          ))}
        </ol>
      </details>
    </li>
  );
}

function stateText({ state, ended_by }: Call): string {
  if (state !== 'ENDED') return { RINGING: 'ringing', PRE_ACCEPTED: 'connecting', CONNECTED: 'connected' }[state];
  return { hang_up: 'ended', rejection: 'rejected', no_answer: 'not answered', failure: 'failed' }[
    ended_by ?? 'hang_up'
  ];
}

interface Moment {
  readonly at: number;
  readonly text: string;
  readonly detail?: unknown;
}

/** The requests of the service and the events of the platform that belong to a call, with its SDPs. */
function timelineOf({ id, offer, answer, started_at, connected_at }: Call, { requests, events }: Snapshot): Moment[] {
  const belongs = (value: unknown) => JSON.stringify(value).includes(JSON.stringify(id).slice(1, -1));
  const moments: Moment[] = [
    { at: started_at, text: 'Offer', detail: offer },
    ...(answer === null || connected_at === null ? [] : [{ at: connected_at, text: 'Answer', detail: answer }]),
    ...[...requests.values()]
      .filter((one) => belongs([one.request, one.response]))
      .map(({ at, request, status }) => ({
        at: Date.parse(at),
        text: `The service asked for ${String(Object(request).action ?? 'connect')}: ${status ?? 'no response'}`,
        detail: request,
      })),
    ...[...events.values()]
      .filter(({ body }) => belongs(body))
      .map(({ body, attempts }) => ({
        at: Date.parse(attempts[0]?.at ?? '') || started_at,
        text: `Event: ${eventName(body)}`,
        detail: body,
      })),
  ];
  return moments.toSorted((one, other) => one.at - other.at);
}

function eventName(body: unknown): string {
  const { entry } = Object(body) as {
    entry?: { changes: { value: Record<string, { event?: string; status?: string }[]> }[] }[];
  };
  const value = entry?.[0]?.changes[0]?.value;
  const [first] = value?.calls ?? value?.statuses ?? [];
  return first?.event ?? first?.status ?? 'call';
}
