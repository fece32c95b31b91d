import * as z from 'zod/mini';
import { dateTime, describeComponent } from '#shared/http/members.ts';

const nullableText = z.nullable(z.string());

const findingSchema = z.object({
  code: z.string(),
  path: nullableText,
  expected: nullableText,
  explanation: z.string(),
});
/* @__PURE__ */ describeComponent('FlowExchangeFinding', findingSchema, () => ({
  code: 'The code of the finding.',
  path: 'The screen or the member of the response that the finding is about; `null` where its name may be personal data.',
  expected: 'The declared type, for a value of the wrong type; otherwise `null`.',
  explanation: 'What is wrong and what to do, in the language of the response.',
}));

const exchangeSchema = z.object({
  at: dateTime,
  preview: z.nullable(z.uuid()),
  action: nullableText,
  screen: nullableText,
  reported_error: nullableText,
  answered_screen: nullableText,
  duration_ms: z.int(),
  status: z.nullable(z.int()),
  bytes: z.nullable(z.int()),
  outcome: z.enum(['answered', 'failed']),
  fault: nullableText,
  explanation: nullableText,
  findings: z.array(findingSchema),
});
/* @__PURE__ */ describeComponent('FlowExchange', exchangeSchema, () => ({
  at: 'When the exchange took place.',
  preview: 'The preview that made the exchange; `null` for a phone or a health check.',
  action: 'The action of the request, such as `INIT`, `data_exchange` or `ping`; `null` if only you can decrypt it.',
  screen: 'The screen that the phone showed; `null` if there was none, or if only you can decrypt it.',
  reported_error: 'The code of an error that the phone reports; `null` if it reports none.',
  answered_screen: 'The screen that the endpoint responded with; `null` if there was none.',
  duration_ms: 'How long the endpoint took, in milliseconds.',
  status: 'The HTTP status of the endpoint; `null` if it did not respond.',
  bytes: 'The size of the response of the endpoint; `null` if it did not respond.',
  outcome: '`answered` if the phone received a response, otherwise `failed`.',
  fault: 'The code of what went wrong; `null` if nothing did.',
  explanation: 'What went wrong and what to do, in the language of the response; `null` if nothing did.',
  findings: 'The differences between the response and what the Flow declares.',
}));

export const exchangeListSchema = z.object({ data: z.array(exchangeSchema) });
/* @__PURE__ */ describeComponent('FlowExchangeList', exchangeListSchema, () => ({
  data: 'The exchanges, newest first.',
}));
