import { Component, type TargetedSubmitEvent } from 'preact';
import type { FaultRule } from '#local/console/console-values.ts';
import { messageOf, sendJson } from '../../http.ts';
import { ActionButton } from '../../parts/action-button.tsx';

interface FaultsProps {
  readonly rules: readonly FaultRule[];
}

interface FaultsState {
  outcome: string;
  fault?: string | undefined;
}

/** The operations that people break most. An empty name stands for any request. */
const operations = [
  '',
  'send_message',
  'mark_message_read',
  'connect_call',
  'accept_call',
  'terminate_call',
  'get_call_permissions',
  'create_flow',
  'update_flow_json',
  'publish_flow',
  'upload_media',
  'get_media',
  'register_number',
];

/** What can go wrong, with the fault that plays it. */
const outcomes: Readonly<Record<string, { readonly name: string; readonly fault: FaultRule['fault'] | undefined }>> = {
  code: { name: 'fail with an error code', fault: undefined },
  limited: { name: 'be rate-limited (429)', fault: { kind: 'error', status: 429, error: { code: 130429 } } },
  unavailable: { name: 'be unavailable (503)', fault: { kind: 'error', status: 503, error: { code: 131016 } } },
  timeout: { name: 'never respond, and do nothing', fault: { kind: 'timeout' } },
  late: { name: 'never respond, but do it', fault: { kind: 'accept_then_timeout' } },
  reset: { name: 'close the connection', fault: { kind: 'reset' } },
  slow: { name: 'respond after 5 seconds', fault: { kind: 'slow', ms: 5_000 } },
  malformed: { name: 'respond with HTML', fault: { kind: 'malformed', body: 'html' } },
};

function nameOf(fault: FaultRule['fault']): string {
  const outcome = Object.values(outcomes).find((one) => JSON.stringify(one.fault) === JSON.stringify(fault));
  if (outcome !== undefined) return outcome.name;
  return fault.kind === 'error' ? `fail with error ${fault.error.code}` : `fail (${fault.kind})`;
}

/** Makes the next requests of the service fail. */
export class Faults extends Component<FaultsProps, FaultsState> {
  override state: FaultsState = { outcome: 'code' };

  readonly #add = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const path = String(form.get('operation'));
    const code = Number(form.get('code'));
    const fault = outcomes[String(form.get('outcome'))]?.fault ?? { kind: 'error', status: 400, error: { code } };
    const rule = { match: path === '' ? {} : { path }, times: Number(form.get('times')), fault };
    void this.#run(() => sendJson('POST', '/simulator/faults', rule));
  };

  async #run(act: () => Promise<unknown>): Promise<void> {
    this.setState({ fault: await act().then(() => undefined, messageOf) });
  }

  override render({ rules }: FaultsProps, { outcome, fault }: FaultsState) {
    return (
      <section class="card">
        <h2>Make requests fail</h2>
        <form class="row" onSubmit={this.#add}>
          The next
          <input name="times" type="number" aria-label="How many" min={1} max={1000} defaultValue="1" required />
          <select name="operation" aria-label="requests of the operation">
            {operations.map((name) => (
              <option value={name}>{name || 'any'}</option>
            ))}
          </select>
          requests
          <select
            name="outcome"
            aria-label="should"
            value={outcome}
            onChange={({ currentTarget }) => this.setState({ outcome: currentTarget.value })}
          >
            {Object.entries(outcomes).map(([key, { name }]) => (
              <option value={key}>{name}</option>
            ))}
          </select>
          {outcome === 'code' && (
            <input name="code" type="number" aria-label="Error code" min={1} defaultValue="131026" required />
          )}
          <button type="submit" class="primary">
            Make them fail
          </button>
        </form>
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        {rules.length > 0 && (
          <ul class="rules">
            {rules.map(({ match, times, fault }) => (
              <li>
                {times === 1 ? 'The next request' : `The next ${times} requests`} of{' '}
                {match.path === undefined ? 'any operation' : <code>{match.path}</code>} will {nameOf(fault)}.
              </li>
            ))}
          </ul>
        )}
        {rules.length > 0 && (
          <div class="row">
            <ActionButton act={() => sendJson('DELETE', '/simulator/faults')}>Remove all</ActionButton>
          </div>
        )}
      </section>
    );
  }
}
