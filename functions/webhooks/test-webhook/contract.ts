import * as z from 'zod/mini';
import { describeMembers } from '#shared/http/descriptions.ts';
import { defineContract } from '#shared/operations/contract.ts';

const result = z.object({ success: z.boolean(), status: z.nullable(z.int()), duration_ms: z.int() });
/* @__PURE__ */ describeMembers(result, () => ({
  success: 'Whether the receiver responded with 200.',
  status: 'The HTTP status of the receiver; `null` if it did not respond.',
  duration_ms: 'How long the receiver took, in milliseconds.',
}));

export const contract = defineContract({
  name: 'test-webhook',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/service-webhook',
  summary: 'Send a test notification now',
  description:
    'Sends a signed notification of an incoming text message, `Beep Beep!`, at once, whatever events a target gets and whether it is failing: to `webhook` and, if it is set, to `secondary_webhook`. The response tells how the receiver at `webhook` responded. The log of deliveries keeps its delivery under `x-delivery-id`, with an explanation, and lists that of `secondary_webhook` as well. If a receiver fails, the test is retried three times, to the URL that is set by then, and does not count against the target. `status` is `null` if the receiver did not respond.',
  tag: 'Webhooks',
  caller: 'number-user',
  responses: {
    200: {
      description: 'How the receiver at `webhook` responded',
      body: result,
      headers: { 'x-delivery-id': 'The id of the delivery in the log' },
    },
  },
  optionalHeaders: {
    'x-delivery-error':
      'Why the attempt failed: `status` for a status other than 200, or the `error` of the attempt in the log, such as `refused`, `dns`, `tls` or `timeout`',
  },
  throws: ['validation-failed'],
  errors: { 422: 'No `webhook` is set, or there is a query parameter' },
  uses: {
    table: { Query: ['SUBSCRIBER#'], GetItem: ['SECRETS#'], PutItem: ['DELIVERIES#'] },
    queue: true,
    egress: true,
    retries: true,
  },
});
