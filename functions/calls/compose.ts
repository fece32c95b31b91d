import { callBudgetMs } from '#shared/base/time-limits.ts';
import { upstreamCallSettings, upstreamCalls } from '#shared/calls/calls-graph.ts';
import { clientOf } from '#shared/operations/compose.ts';
import type { WrapperDependencies } from '#shared/operations/create-handler.ts';

export interface CallDependencies extends WrapperDependencies {
  upstream: ReturnType<typeof callClient>;
}

export interface CallSettingsDependencies extends WrapperDependencies {
  upstream: ReturnType<typeof callSettingsClient>;
}

export const callClient = /* @__PURE__ */ clientOf(upstreamCalls, callBudgetMs, 'call');

export const callSettingsClient = /* @__PURE__ */ clientOf(upstreamCallSettings, callBudgetMs, 'call');
