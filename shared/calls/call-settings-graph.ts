import * as z from 'zod/mini';
import { acknowledged, type GraphClient, parseResponse } from '#shared/graph/graph-client.ts';

/** The calling settings of a number, in the upstream's form. */
export type CallSettings = Readonly<Record<string, unknown>>;

const server = z.looseObject({});
const sip = z.looseObject({ servers: z.optional(z.nullable(z.array(server))) });
const settings = z.object({ calling: z._default(z.looseObject({ sip: z.optional(z.nullable(sip)) }), {}) });

export type UpstreamCallSettings = ReturnType<typeof upstreamCallSettings>;

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
