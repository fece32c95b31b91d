import * as z from 'zod/mini';
import { callUses } from '#functions/calls/call-uses.ts';
import { callId, callResponse } from '#shared/calls/schema.ts';
import { describeMembers } from '#shared/http/descriptions.ts';
import { defineContract } from '#shared/operations/contract.ts';

const body = z.strictObject({ call_id: callId });
/* @__PURE__ */ describeMembers(body, () => ({ call_id: 'The `id` of the call in its events.' }));

export const contract = defineContract({
  name: 'hang-up-call',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/calls/hang-up',
  summary: 'End a call',
  tag: 'Calls',
  caller: 'number-caller',
  body,
  responses: { 200: { description: 'The call has ended', body: callResponse } },
  uses: callUses,
});
