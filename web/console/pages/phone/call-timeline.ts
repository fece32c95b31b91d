import type { Call } from '#local/console/console-values.ts';
import type { Snapshot } from '../../snapshot.ts';

export interface Moment {
  readonly at: number;
  readonly text: string;
  /** A request or an event. */
  readonly detail?: unknown;
  /** An SDP, and its role in the call. */
  readonly sdp?: { readonly text: string; readonly type: 'offer' | 'answer'; readonly connection?: string | undefined };
}

/** The requests of the service and the events of the platform that belong to a call, with its SDPs. */
export function timelineOf(call: Call, { requests, events }: Pick<Snapshot, 'requests' | 'events'>): Moment[] {
  const { id, direction, offer, answer, started_at, connected_at, ended_at } = call;
  const isByContact = direction === 'USER_INITIATED';
  const belongs = (value: unknown) => JSON.stringify(value).includes(JSON.stringify(id).slice(1, -1));
  const asked = [...requests.values()].filter((one) => belongs([one.request, one.response]));
  const moments: Moment[] = [
    {
      at: started_at,
      text: `Offer from ${isByContact ? 'the contact' : 'the business'}`,
      sdp: { text: offer, type: 'offer', connection: isByContact ? undefined : connectionOf(asked) },
    },
    ...(answer === null
      ? []
      : [
          {
            at: connected_at ?? ended_at ?? started_at,
            text: `Answer from ${isByContact ? 'the business' : 'the contact'}`,
            sdp: { text: answer, type: 'answer' as const },
          },
        ]),
    ...asked.map(({ at, request, response, status }) => ({
      at: Date.parse(at),
      text: `The service asked for ${String(Object(request).action ?? 'connect')}: ${status ?? 'no response'}`,
      detail: { request, response },
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

/** The SDP of the connection in the request that started the call. */
function connectionOf(requests: readonly { readonly request?: unknown }[]): string | undefined {
  const sdps = requests.map(({ request }) => Object(Object(Object(request).connection).webrtc).sdp);
  return sdps.find((sdp) => typeof sdp === 'string');
}

function eventName(body: unknown): string {
  const { entry } = Object(body) as {
    entry?: { changes: { value: Record<string, { event?: string; status?: string; type?: string }[]> }[] }[];
  };
  const value = entry?.[0]?.changes[0]?.value;
  const [first] = value?.calls ?? value?.statuses ?? value?.messages ?? [];
  return first?.event ?? first?.status ?? first?.type ?? 'call';
}
