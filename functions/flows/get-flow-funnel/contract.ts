import * as z from 'zod/mini';
import { describeComponent } from '#shared/http/descriptions.ts';
import { defineContract } from '#shared/operations/contract.ts';

const screenSchema = z.object({ screen: z.string(), stopped: z.int() });
/* @__PURE__ */ describeComponent('FlowFunnelScreen', screenSchema, () => ({
  screen: 'The id of the screen.',
  stopped: 'How many contacts saw this screen last and have not completed the Flow, or not yet.',
}));

const funnelSchema = z.object({
  sent: z.int(),
  opened: z.nullable(z.int()),
  completed: z.int(),
  screens: z.nullable(z.array(screenSchema)),
});
/* @__PURE__ */ describeComponent('FlowFunnel', funnelSchema, () => ({
  sent: 'How many messages with this Flow the platform has accepted.',
  opened:
    'How many of them were opened, as far as the exchanges with the endpoint show; `null` if this service cannot read them.',
  completed: 'How many of them were completed.',
  screens:
    'The screens on which contacts stopped, most contacts first; `null` if this service cannot read the exchanges.',
}));

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
