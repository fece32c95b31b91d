import { Component } from 'preact';
import { Badge, Empty, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { type Exchange, type Funnel, readExchanges, readFunnel } from './flow-api.ts';

interface FlowActivityProps {
  readonly workspace: string;
  readonly flow: string;
  readonly snapshot: Snapshot;
}

/** How far contacts came in the Flow, and the exchanges with its endpoint. */
export class FlowActivity extends Component<FlowActivityProps, { funnel?: Funnel; exchanges?: readonly Exchange[] }> {
  override state: { funnel?: Funnel; exchanges?: readonly Exchange[] } = {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  override componentDidMount() {
    void this.#load();
  }

  override componentWillUnmount() {
    clearTimeout(this.#timer);
  }

  /** Messages and answers move the funnel a moment after they are seen here. */
  override componentDidUpdate({ snapshot }: FlowActivityProps) {
    const { messages, inbox } = this.props.snapshot;
    if (snapshot.messages === messages && snapshot.inbox === inbox) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(), 500);
  }

  async #load(): Promise<void> {
    const { workspace, flow } = this.props;
    const [funnel, exchanges] = await Promise.all([
      readFunnel(workspace, flow),
      readExchanges(workspace, flow).catch(() => ({ data: [] })),
    ]);
    this.setState({ funnel, exchanges: exchanges.data });
  }

  override render(_: FlowActivityProps, { funnel, exchanges }: typeof this.state) {
    return (
      <div class="activity">
        <section class="card">
          <h2>How far contacts came</h2>
          {funnel && <FunnelChart funnel={funnel} />}
        </section>
        <section class="card">
          <h2>Exchanges</h2>
          {exchanges?.length === 0 && <Empty>A Flow with an endpoint lists what phones asked it here.</Empty>}
          <ol class="exchanges">
            {exchanges?.map(({ at, action, screen, status, duration_ms }) => (
              <li key={at} class="row">
                <Time at={at} /> <b>{action ?? 'unreadable'}</b> {screen && <code>{screen}</code>}
                <Badge tone={status === 200 ? 'good' : 'bad'}>{status ?? 'no response'}</Badge>
                {duration_ms != null && <span class="dim">{duration_ms} ms</span>}
              </li>
            ))}
          </ol>
        </section>
      </div>
    );
  }
}

/** Bars from the messages that were sent to the Flows that were completed. The numbers stand beside them. */
function FunnelChart({ funnel: { sent, opened, completed, screens } }: { funnel: Funnel }) {
  const steps = [
    { name: 'sent', count: sent },
    ...(opened === null ? [] : [{ name: 'opened', count: opened }]),
    ...(screens ?? []).map(({ screen, stopped }) => ({ name: `stopped at ${screen}`, count: stopped })),
    { name: 'completed', count: completed },
  ];
  const largest = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <dl class="funnel">
      {steps.map(({ name, count }) => (
        <>
          <dt>{name}</dt>
          <dd>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(100 * count) / largest} height={10} />
            </svg>
            <b>{count}</b>
          </dd>
        </>
      ))}
    </dl>
  );
}
