import * as z from 'zod/mini';
import { acknowledged, type GraphClient, parseResponse } from '#shared/graph/graph-client.ts';

/** A contact, by exactly one of two ids. */
export interface CalledContact {
  /** The phone number as digits. */
  to?: string | undefined;
  /** The user id of a person whose phone number is unknown. */
  recipient?: string | undefined;
}

/** What a business may ask for when it makes or accepts a call. The upstream checks the values. */
export interface CallOptions {
  /** Comes back in the events of the call. */
  biz_opaque_callback_data?: string | undefined;
  recording?: object | undefined;
  transcription?: object | undefined;
}

export interface Offer {
  contact: CalledContact;
  options: CallOptions;
  sdp: string;
  /** Sent unchanged. */
  connection: { webrtc: { sdp: string } };
}

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

/** What a number may do with a contact, according to the upstream. Unknown names are passed on. */
export type CallPermission = z.output<typeof callPermission>;

const started = z
  .object({ success: z.optional(z.boolean()), calls: listOf(z.object({ id: z.string() })) })
  .check(z.refine(({ success, calls }) => success || calls.length > 0));

type CallAction = 'pre_accept' | 'accept' | 'reject' | 'terminate';

export type UpstreamCalls = ReturnType<typeof upstreamCalls>;

/** The calls of phone numbers (Meta, "Calling API"). Every method throws `UpstreamError` on failure. */
export function upstreamCalls(call: GraphClient) {
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

    /** Resolves with the new call's id, if the upstream returns it. */
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

    /** Lets the media connect before the call is accepted, so that the audio starts sooner. */
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

/** The calling settings of a number, in the upstream's form. */
export type CallSettings = Readonly<Record<string, unknown>>;

const server = z.looseObject({});
const sip = z.looseObject({ servers: z.optional(z.nullable(z.array(server))) });
const settings = z.object({ calling: z._default(z.looseObject({ sip: z.optional(z.nullable(sip)) }), {}) });

/**
 * The calling settings of phone numbers (Meta, "Configure Call Settings"). They are one part of a number's settings.
 * Every method throws `UpstreamError` on failure.
 */
export function upstreamCallSettings(call: GraphClient) {
  const path = (phoneNumberId: string) => `${encodeURIComponent(phoneNumberId)}/settings`;
  return {
    async read(phoneNumberId: string): Promise<CallSettings> {
      const response = await call({ method: 'GET', path: path(phoneNumberId) });
      return withoutPasswords(parseResponse(settings, response).calling);
    },

    /** Changes the members that are there. */
    async change(phoneNumberId: string, calling: CallSettings): Promise<void> {
      acknowledged(await call({ method: 'POST', path: path(phoneNumberId), json: { calling } }));
    },
  };
}

/** Graph shows the passwords of SIP only to requests that ask for them, which ours do not. This makes sure. */
function withoutPasswords({ sip, ...calling }: z.infer<typeof settings>['calling']): CallSettings {
  if (!sip) return { ...calling, ...(sip === null && { sip }) };
  const servers = sip.servers?.map(({ sip_user_password: _, ...rest }) => rest);
  return { ...calling, sip: { ...sip, ...(servers && { servers }) } };
}
