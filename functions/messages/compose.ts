import { callBudgetMs } from '#shared/base/time-limits.ts';
import { upstreamMessages } from '#shared/messages/messages-graph.ts';
import { clientOf } from '#shared/operations/compose.ts';

export const messageClient = /* @__PURE__ */ clientOf(upstreamMessages, callBudgetMs, 'message');
