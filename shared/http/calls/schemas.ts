import * as z from 'zod/mini';
import type { FieldRule } from '#shared/domain/errors/field-error.ts';
import { textUpTo } from '../contract/schemas.ts';
import { callbackData } from './contact-schemas.ts';

/** Checks that the request has exactly one of two fields. */
export function exactlyOne<One extends string, Other extends string>(one: One, other: Other) {
  type Fields = { [Name in One | Other]?: unknown };
  const always = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;
  const rule = (name: FieldRule) => ({ params: { rule: name, other }, path: [one], when: always });
  return [
    z.refine<Fields>((fields) => (fields[one] ?? fields[other]) !== undefined, rule('required_without')),
    z.refine<Fields>((fields) => fields[one] === undefined || fields[other] === undefined, rule('only_one')),
  ] as const;
}

/** The maximum number of characters in the sentence that an announcement gives as its purpose. */
const longestPurpose = 250;

const capture = z.looseObject({
  status: z.string(),
  purpose: z.optional(textUpTo(longestPurpose)),
  announcement_language: z.optional(z.string()),
});

/** What a request may ask for when it makes or accepts a call. */
export const callOptions = {
  biz_opaque_callback_data: z.optional(callbackData),
  recording: z.optional(capture),
  transcription: z.optional(capture),
};

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
