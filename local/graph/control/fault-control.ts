import { type ControlRoute, readJson } from '../http/control-route.ts';
import { jsonResponse } from '../http/http.ts';
import type { RequestLog } from '../http/request-log.ts';
import { type FaultQueue, faultRuleSchema } from './faults.ts';

/** Injects faults, and shows the requests that came in. */
export function faultControl(faults: FaultQueue, log: RequestLog): ControlRoute[] {
  const list = () => jsonResponse(200, { data: faults.rules });
  return [
    {
      method: 'POST',
      path: '/faults',
      handle({ body }) {
        faults.add(readJson(faultRuleSchema, body));
        return list();
      },
    },
    { method: 'GET', path: '/faults', handle: list },
    {
      method: 'DELETE',
      path: '/faults',
      handle() {
        faults.clear();
        return list();
      },
    },
    { method: 'GET', path: '/requests', handle: () => jsonResponse(200, { data: log.entries }) },
  ];
}
