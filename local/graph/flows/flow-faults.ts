import type { SetupFaults } from '../setup/faults.ts';
import type { Flow } from './flows.ts';

/** A version of Flow JSON that Meta does not support any more. */
const expiredVersion = '2.1';

/** A Flow as Graph shows it while faults are switched on. */
export function faultyFlow(flow: Flow, faults: SetupFaults): Flow {
  const status = faultyStatus(flow, faults);
  const isExpired = flow.json_version !== null && faults.has('flow_version_expired');
  return { ...flow, status, ...(isExpired && { json_version: expiredVersion }) };
}

/** Only published Flows can be throttled and blocked. */
function faultyStatus({ status }: Flow, faults: SetupFaults): Flow['status'] {
  if (status !== 'PUBLISHED' && status !== 'THROTTLED') return status;
  if (faults.has('flow_blocked')) return 'BLOCKED';
  return faults.has('flow_throttled') ? 'THROTTLED' : status;
}

interface FlowAilment {
  readonly can_send_message: 'LIMITED' | 'BLOCKED';
  readonly errors?: readonly object[];
  readonly additional_info?: readonly string[];
}

const error = (error_description: string, possible_solution: string) => ({
  error_code: 131000,
  error_description,
  possible_solution,
});

/** What faults do to the health of a Flow. Meta's page "Flows API" has 131000 for all of its examples. */
export function flowAilment(flow: Flow, faults: SetupFaults): FlowAilment | undefined {
  const hasEndpoint = flow.endpoint_uri !== null && flow.data_api_version !== null;
  const errors = [
    ...(hasEndpoint && faults.has('flow_endpoint_unavailable')
      ? [error('endpoint: The endpoint did not respond to the health check.', 'Make the endpoint available.')]
      : []),
    ...(flow.json_version !== null && faults.has('flow_version_expired')
      ? [error('version: The version of the Flow JSON has expired.', 'Upload a Flow JSON of a newer version.')]
      : []),
  ];
  const infos =
    hasEndpoint && faults.has('flow_endpoint_slow')
      ? ['The p90 latency of the endpoint was 8200 ms in the last 30 minutes.']
      : [];
  if (errors.length === 0 && infos.length === 0) return undefined;
  return {
    can_send_message: errors.length > 0 ? 'BLOCKED' : 'LIMITED',
    ...(errors.length > 0 && { errors }),
    ...(infos.length > 0 && { additional_info: infos }),
  };
}
