import * as z from 'zod/mini';
import type {
  CalledContact,
  CallOptions,
  CallPermission,
  Offer,
  UpstreamCalls,
} from '#shared/domain/calls/upstream-calls.ts';
import type { GraphClient } from './graph-client.ts';
import { acknowledged, parseResponse } from './graph-response.ts';

/** Any other value becomes `undefined`. */
const integer = z.pipe(
  z.unknown(),
  z.transform((value) => (Number.isSafeInteger(value) ? Number(value) : undefined)),
);

const limit = z.object({ time_period: z.string(), max_allowed: z.int(), current_usage: z.int() });
const action = z.object({
  action_name: z.string(),
  can_perform_action: z.boolean(),
  limits: listOf(limit),
});
const callPermission = z.object({
  permission: z.object({
    status: z.string(),
    /** Unix seconds; only temporary permissions have one. */
    expiration_time: z.optional(integer),
  }),
  actions: listOf(action),
});

const started = z
  .object({ success: z.optional(z.boolean()), calls: listOf(z.object({ id: z.string() })) })
  .check(z.refine(({ success, calls }) => success || calls.length > 0));

/** The actions that answer or end a call. */
type CallAction = 'pre_accept' | 'accept' | 'reject' | 'terminate';

/** The calls of phone numbers (Meta, "Calling API"). Every method throws `UpstreamError` on failure. */
export function upstreamCalls(call: GraphClient): UpstreamCalls {
  const path = (phoneNumberId: string, edge: string) => `${encodeURIComponent(phoneNumberId)}/${edge}`;

  async function post(phoneNumberId: string, members: object): Promise<unknown> {
    const json = { messaging_product: 'whatsapp', ...members };
    const response = await call({ method: 'POST', path: path(phoneNumberId, 'calls'), json });
    acknowledged(response);
    return response;
  }

  const act = (name: CallAction) => (phoneNumberId: string, callId: string) =>
    post(phoneNumberId, { call_id: callId, action: name });

  const sendSdp =
    (name: CallAction) =>
    (phoneNumberId: string, callId: string, sdp: string, options: CallOptions = {}) =>
      post(phoneNumberId, { call_id: callId, action: name, session: { sdp_type: 'answer', sdp }, ...options });

  return {
    async permission(phoneNumberId: string, { to, recipient }: CalledContact): Promise<CallPermission> {
      const query = { ...(to !== undefined && { user_wa_id: to }), ...(recipient !== undefined && { recipient }) };
      const response = await call({ method: 'GET', path: path(phoneNumberId, 'call_permissions'), query });
      return parseResponse(callPermission, response);
    },

    async connect(phoneNumberId: string, { contact, sdp, connection, options }: Offer): Promise<string | undefined> {
      const response = await post(phoneNumberId, {
        ...contact,
        action: 'connect',
        session: { sdp_type: 'offer', sdp },
        connection,
        ...options,
      });
      return parseResponse(started, response).calls[0]?.id;
    },

    preAccept: sendSdp('pre_accept'),
    accept: sendSdp('accept'),
    reject: act('reject'),
    terminate: act('terminate'),
  };
}

/**
 * Reads the items that have this shape. Other items are left out, because a later version may add more. Anything other
 * than a list counts as an empty one.
 */
function listOf<S extends z.ZodMiniType>(item: S) {
  const items = z.transform((value): z.output<S>[] =>
    Array.isArray(value) ? value.flatMap((each) => z.safeParse(item, each).data ?? []) : [],
  );
  return z._default(z.pipe(z.unknown(), items), []);
}
