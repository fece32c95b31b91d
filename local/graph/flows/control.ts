import * as z from 'zod/mini';
import { ControlError, type ControlRoute, get, on } from '../http/control-route.ts';
import { BytesResponse } from '../http/http.ts';
import type { Endpoints } from './endpoints.ts';
import { moderated, moderatedStatuses } from './flows.ts';
import type { FlowStore } from './store.ts';

const moderationSchema = z.object({ status: z.enum(moderatedStatuses) });

const exchangeSchema = z.strictObject({
  action: z.string(),
  screen: z.optional(z.string()),
  data: z.optional(z.unknown()),
  flow_token: z.optional(z.string()),
  /** The number whose public key is used. Defaults to the account's first number with a key. */
  phone_number_id: z.optional(z.string()),
});

/** Shows the Flows, changes their status as Meta's monitoring does, and plays the phone for dynamic Flows. */
export function flowControl(store: FlowStore, endpoints: Endpoints, now: () => number): ControlRoute[] {
  return [
    get('/flows', () => ({ data: store.all() })),
    // The file as it was uploaded. It need not be JSON.
    get(
      '/flows/{id}/flow.json',
      ({ id }) => new BytesResponse(200, { 'content-type': 'application/json' }, store.get(id).flow_json ?? '{}'),
    ),
    on('POST', '/flows/{id}/status', moderationSchema, ({ status }, { id }) => {
      const flow = moderated(store.get(id), status, now());
      if (flow === undefined) throw new ControlError(409, 'Monitoring moves only Flows that are published');
      return store.save(flow);
    }),
    on('POST', '/flows/{id}/exchange', exchangeSchema, ({ phone_number_id, ...request }, { id }) =>
      endpoints.ask(store.get(id), request, phone_number_id),
    ),
  ];
}
