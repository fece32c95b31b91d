import * as z from 'zod/mini';
import { availableFaults, type SetupFaults, setupFaults } from '../core/setup-faults.ts';
import { type ControlRoute, readJson } from '../http/control-route.ts';
import { jsonResponse } from '../http/http.ts';

const faultsSchema = z.strictObject({ faults: z.array(z.enum(setupFaults)) });

/** Switches the faults of the set-up on and off. */
export function setupControl(faults: SetupFaults): ControlRoute[] {
  const path = '/setup/faults';
  const show = () => jsonResponse(200, { faults: faults.all });
  return [
    { method: 'GET', path, handle: () => jsonResponse(200, { faults: faults.all, available: availableFaults }) },
    {
      method: 'PUT',
      path,
      handle({ body }) {
        faults.set(readJson(faultsSchema, body).faults);
        return show();
      },
    },
  ];
}
