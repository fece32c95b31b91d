import * as z from 'zod/mini';

/** A contact's id on the platform. */
export const contactId = z.string().check(z.refine((text) => /^\d+$/.test(text), { params: { rule: 'digits' } }));
z.globalRegistry.add(contactId, { pattern: '^\\d+$', examples: ['551140000001'] });

const filled = z.refine<string>((text) => text !== '', { params: { rule: 'required' } });

/** Accepts any content: the service reports the findings in an SDP but never rejects it. */
export const sdp = z.string().check(filled);
z.globalRegistry.add(sdp, { minLength: 1, description: 'SDP (RFC 8866), forwarded as it is' });

export const callId = z.string().check(filled);
z.globalRegistry.add(callId, { minLength: 1, description: 'The `id` of the call in its events' });

export const callResponse = z.object({ success: z.boolean() });
z.globalRegistry.add(callResponse, { id: 'CallAnswer' });

/** Documents the response header of operations that take an SDP. */
export const sdpHeaders = {
  'X-Sdp-Findings':
    'The names of the findings on the SDP, separated by commas. Absent if there are none (docs/calling.md)',
} as const;
