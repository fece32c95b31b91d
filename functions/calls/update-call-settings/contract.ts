import { callUses } from '#functions/calls/call-uses.ts';
import { callSettings } from '#shared/calls/call-settings.ts';
import { callResponse } from '#shared/calls/schema.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'update-call-settings',
  method: 'PUT',
  path: '/v2/messaging/numbers/{number}/calls/settings',
  summary: 'Change the call settings of a number',
  description:
    'For owners. The body is passed to the messaging platform as `calling`. Members that are absent stay as they are. Each member that is present is replaced as a whole, except `sip`. The request can be repeated.',
  tag: 'Calls',
  caller: 'number-owner',
  body: callSettings,
  responses: { 200: { description: 'The platform has changed the settings', body: callResponse } },
  uses: callUses,
});
