import * as z from 'zod/mini';
import { ControlError, type ControlRoute, readJson } from '../http/control-route.ts';
import { jsonResponse } from '../http/http.ts';
import { type EndpointControlOptions, exchangeData } from './endpoint-control.ts';
import { moderated, moderatedStatuses } from './flows.ts';
import type { FlowStore } from './store.ts';

export interface FlowControlOptions extends EndpointControlOptions {
  readonly store: FlowStore;
  readonly now: () => number;
}

const moderationSchema = z.object({ status: z.enum(moderatedStatuses) });

/** Shows the Flows, changes their status as Meta's monitoring does, and plays the phone for dynamic Flows. */
export function flowControl(options: FlowControlOptions): ControlRoute[] {
  const { store, now } = options;
  const flowOf = ({ id = '' }: Readonly<Record<string, string>>) => store.get(id);
  return [
    { method: 'GET', path: '/flows', handle: () => jsonResponse(200, { data: store.all() }) },
    {
      method: 'GET',
      path: '/flows/{id}/flow.json',
      // The file as it was uploaded. It need not be JSON.
      handle: ({ params }) => ({ ...jsonResponse(200, null), body: flowOf(params).flow_json ?? '{}' }),
    },
    {
      method: 'POST',
      path: '/flows/{id}/status',
      handle({ params, body }) {
        const flow = moderated(flowOf(params), readJson(moderationSchema, body).status, now());
        if (flow === undefined) throw new ControlError(409, 'Monitoring moves only Flows that are published');
        return jsonResponse(200, store.save(flow));
      },
    },
    {
      method: 'POST',
      path: '/flows/{id}/exchange',
      handle: async ({ params, body }) => jsonResponse(200, await exchangeData(options, flowOf(params), body)),
    },
  ];
}
