import { callUses } from '#functions/calls/call-uses.ts';
import { callSettings } from '#shared/calls/call-settings.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'get-call-settings',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/calls/settings',
  summary: 'Read the call settings of a number',
  description:
    'The settings that the messaging platform has for calls of the number, in its own form: the content of `calling`. Passwords of SIP are left out.',
  tag: 'Calls',
  caller: 'number-user',
  responses: { 200: { description: 'The settings', body: callSettings } },
  uses: callUses,
});
