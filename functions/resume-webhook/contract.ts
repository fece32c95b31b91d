import { resumeBody, resumedSchema } from '../../shared/deliveries/schemas.ts';
import { defineContract } from '../../shared/http/contract.ts';

export const contract = defineContract({
  name: 'resume-webhook',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/resume',
  summary: 'Send again to targets that did not answer',
  description: 'What is held for them is sent, oldest first. Without `target`, all that are out of order.',
  tag: 'Webhooks',
  caller: 'number-user',
  body: resumeBody,
  answers: { 200: { description: 'The targets that were out of order', body: resumedSchema } },
  uses: { table: ['BatchGetItem', 'UpdateItem'], queue: true },
});
