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
        <div class="row">
          <h2>Requests of the service</h2>
          <select
            class="quiet"
            aria-label="Operation"
            value={operation}
            onChange={({ currentTarget }) => this.setState({ operation: currentTarget.value })}
          >
            <option value="">all operations</option>
            {operations.map((name) => (
              <option>{name}</option>
            ))}
          </select>
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
          <span class="request">
            <span>
              <b>{operation ?? 'unknown'}</b> {fault !== null && <Badge tone="warn">fault: {fault}</Badge>}
            </span>
            <span class="outcome">
              <span class={status === null || status >= 400 ? 'fault' : undefined}>{status ?? 'no response'}</span>
              {duration_ms !== undefined && ` · ${duration_ms} ms`}
            </span>
            <code class="dim">
              {method} {path}
            </code>
            <span class="when">
              <Time at={at} />
            </span>
          </span>
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
