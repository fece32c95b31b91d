import * as z from 'zod/mini';
import type { FieldRule } from '#shared/domain/errors/field-error.ts';
import { describeComponent } from '../contract/contract.ts';
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

const captureTexts = <What extends string>(what: What) =>
  ({
    [what]: `Asks the platform for a ${what} of the call. Further members are passed on.`,
    [`${what}.status`]: `Whether there is to be a ${what}, in the platform's words.`,
    [`${what}.purpose`]: 'Why, as the platform announces it to the contact.',
    [`${what}.announcement_language`]: 'The language of the announcement.',
  }) as Record<What, string>;

export const callOptionTexts = () => ({
  biz_opaque_callback_data: 'Any text of yours. It comes back in the events of the call.',
  ...captureTexts('recording'),
  ...captureTexts('transcription'),
});

const filled = z.refine<string>((text) => text !== '', { params: { rule: 'required' } });

/** Accepts any content: the service reports the findings in an SDP but never rejects it. */
export const sdp = z.string().check(filled);
z.globalRegistry.add(sdp, { minLength: 1 });

export const callId = z.string().check(filled);
z.globalRegistry.add(callId, { minLength: 1 });

export const callResponse = z.object({ success: z.boolean() });
/* @__PURE__ */ describeComponent('CallAnswer', callResponse, () => ({ success: 'Always `true`.' }));

/** Documents the response header of operations that take an SDP. */
export const sdpHeaders = {
  'X-Sdp-Findings':
    'The names of the findings on the SDP, separated by commas. Absent if there are none (docs/calling.md)',
} as const;
