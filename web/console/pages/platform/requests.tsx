import { Component } from 'preact';
import type { ShownRequest } from '#local/console/console-values.ts';
import { Badge, Empty, Json, Time } from '../../parts/text.tsx';

/** Every request of the service to the platform, newest first. */
export class Requests extends Component<{ requests: readonly ShownRequest[] }, { operation: string }> {
  override state = { operation: '' };

  override render({ requests }: { requests: readonly ShownRequest[] }, { operation }: { operation: string }) {
    const operations = [...new Set(requests.map(nameOf))].toSorted();
    const shown = requests.filter((request) => operation === '' || nameOf(request) === operation);
    return (
      <section class="card">
        <h2>Requests of the service</h2>
        <div class="row">
          <label>
            Operation
            <select
              value={operation}
              onChange={({ currentTarget }) => this.setState({ operation: currentTarget.value })}
            >
              <option value="">all</option>
              {operations.map((name) => (
                <option>{name}</option>
              ))}
            </select>
          </label>
        </div>
        {shown.length === 0 && <Empty>The service has not asked the platform for anything yet.</Empty>}
        <ol class="requests">
          {shown.map((request) => (
            <li key={request.id}>
              <Request request={request} />
            </li>
          ))}
        </ol>
      </section>
    );
  }
}

const nameOf = ({ operation }: ShownRequest) => operation ?? 'unknown';

/** The bodies are drawn when they are opened: there may be hundreds, and long ones. */
class Request extends Component<{ request: ShownRequest }, { isOpen: boolean }> {
  override state = { isOpen: false };

  override render({ request }: { request: ShownRequest }, { isOpen }: { isOpen: boolean }) {
    const { at, method, path, query, operation, status, fault, duration_ms } = request;
    return (
      <details onToggle={({ currentTarget }) => this.setState({ isOpen: currentTarget.open })}>
        <summary>
          <Time at={at} />{' '}
          <Badge tone={status === null ? 'warn' : status < 400 ? 'plain' : 'bad'}>{status ?? 'no response'}</Badge>{' '}
          <b>{operation ?? 'unknown'}</b>{' '}
          <code>
            {method} {path}
          </code>{' '}
          {duration_ms !== undefined && <span class="dim">{duration_ms} ms</span>}{' '}
          {fault !== null && <Badge tone="warn">fault: {fault}</Badge>}
        </summary>
        {isOpen && (
          <>
            {query !== '' && <Json value={query} label="Query" />}
            <h3>Request</h3>
            <Json value={request.request} label="Request" />
            <h3>Response</h3>
            <Json value={request.response} label="Response" />
          </>
        )}
      </details>
    );
  }
}
