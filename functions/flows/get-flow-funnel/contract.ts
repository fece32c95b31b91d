import * as z from 'zod/mini';
import { defineContract } from '#shared/http/contract/contract.ts';

const screenSchema = z.object({ screen: z.string(), stopped: z.int() });
z.globalRegistry.add(screenSchema, { id: 'FlowFunnelScreen' });

const funnelSchema = z.object({
  sent: z.int(),
  opened: z.nullable(z.int()),
  completed: z.int(),
  screens: z.nullable(z.array(screenSchema)),
});
z.globalRegistry.add(funnelSchema, { id: 'FlowFunnel' });

export const contract = defineContract({
  name: 'get-flow-funnel',
  method: 'GET',
  path: '/v2/workspaces/{workspace}/flows/{flow}/funnel',
  summary: 'Count how far contacts got in a Flow',
  description:
    'Counts the messages that sent this Flow by its id, who opened and completed it, and the screen on which the others stopped. Messages with `mode: "draft"` do not count. `opened` and `screens` are `null` if the Flow has no endpoint or `endpoint_encrypted` is `true`, because this service then cannot read what phones request.',
  tag: 'Flows',
  caller: 'workspace-owner',
  responses: { 200: { description: 'The counts', body: funnelSchema } },
  uses: { table: { BatchGetItem: ['FUNNEL#'] } },
});
