import { Component } from 'preact';
import { messageOf } from '../../http.ts';
import { Badge, Empty, Time } from '../../parts/text.tsx';
import { type Exchange, type FlowSummary, type Funnel, readExchanges, readFunnel } from './flow-api.ts';

interface FlowActivityProps {
  readonly workspace: string;
  readonly flow: FlowSummary;
}

interface FlowActivityState {
  funnel?: Funnel;
  exchanges: readonly Exchange[];
  fault?: string | undefined;
}

/** Nothing reports an exchange, so the page asks. */
const pauseMs = 2_000;

/** How far contacts got in the Flow, and the exchanges with its endpoint. */
export class FlowActivity extends Component<FlowActivityProps, FlowActivityState> {
  override state: FlowActivityState = { exchanges: [] };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;

  override componentDidMount() {
    void this.#follow();
  }

  override componentWillUnmount() {
    this.#isGone = true;
    clearTimeout(this.#timer);
  }

  async #follow(): Promise<void> {
    const { workspace, flow } = this.props;
    try {
      const [funnel, exchanges] = await Promise.all([
        readFunnel(workspace, flow.id),
        flow.endpoint_url === null ? [] : readExchanges(workspace, flow.id),
      ]);
      this.setState({ funnel, exchanges, fault: undefined });
    } catch (error) {
      this.setState({ fault: messageOf(error) });
    }
    if (!this.#isGone) this.#timer = setTimeout(() => void this.#follow(), pauseMs);
  }

  override render({ flow }: FlowActivityProps, { funnel, exchanges, fault }: FlowActivityState) {
    return (
      <div class="activity">
        <section class="card" aria-label="Funnel">
          <h2>How far contacts got</h2>
          {fault !== undefined && (
            <p class="fault" role="alert">
              {fault}
            </p>
          )}
          {funnel && <FunnelChart funnel={funnel} />}
          {funnel?.screens === null && (
            <p class="dim">
              {flow.endpoint_url === null
                ? 'Without an endpoint, phones do not say who opened it, and on which screen they stopped.'
                : 'Only you can decrypt what phones ask, so nobody here knows who opened it, and on which screen they stopped.'}
            </p>
          )}
          {funnel?.sent === 0 && <Empty>Nobody has this Flow yet. Publish it and send it to a contact.</Empty>}
        </section>
        <section class="card" aria-label="Exchanges">
          <h2>Exchanges with the endpoint</h2>
          {exchanges.length === 0 && (
            <Empty>
              {flow.endpoint_url === null
                ? 'This Flow has no endpoint, so phones ask nothing.'
                : 'What phones ask the endpoint of this Flow appears here.'}
            </Empty>
          )}
          <ol class="exchanges">
            {exchanges.map(({ at, action, screen, status, duration_ms }) => (
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
            <span>
              <b>{count}</b> {sent > 0 && <small class="dim">{Math.round((100 * count) / sent)} %</small>}
            </span>
          </dd>
        </>
      ))}
    </dl>
  );
}
