import { Component } from 'preact';
import { isObject, parseJson } from '#shared/base/json.ts';
import { messageOf } from '../../http.ts';
import { Badge, Empty, Time } from '../../parts/text.tsx';
import { type Exchange, type FlowSummary, type Funnel, readExchanges, readFunnel } from './flow-api.ts';
import { type FunnelStep, funnelSteps } from './funnel-steps.ts';

interface FlowActivityProps {
  readonly workspace: string;
  readonly flow: FlowSummary;
  /** The Flow JSON, which names the screens. Undefined until it is read. */
  readonly text: string | undefined;
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

  override render({ flow, text }: FlowActivityProps, { funnel, exchanges, fault }: FlowActivityState) {
    return (
      <div class="activity">
        <section class="card" aria-label="Funnel">
          <h2>How far contacts got</h2>
          {fault !== undefined && (
            <p class="fault" role="alert">
              {fault}
            </p>
          )}
          {funnel && <FunnelChart funnel={funnel} steps={funnelSteps(funnel, screensIn(text))} />}
          {funnel?.screens === null && (
            <p class="dim">
              {flow.endpoint_url === null
                ? 'Without an endpoint, phones do not say who opened it, and on which screen they stopped.'
                : 'Only you can decrypt what phones ask, so nobody here knows who opened it, and on which screen they stopped.'}
            </p>
          )}
          {funnel?.sent === 0 && (
            <Empty>Nobody has this Flow yet. Publish it and send it to a contact. A draft does not count.</Empty>
          )}
        </section>
        {flow.endpoint_url !== null && (
          <section class="card" aria-label="Exchanges">
            <h2>Exchanges with the endpoint</h2>
            {exchanges.length === 0 && <Empty>What phones ask the endpoint of this Flow appears here.</Empty>}
            <ol class="exchanges">
              {exchanges.map(({ at, action, screen, status, duration_ms }) => (
                <li key={at} class="row">
                  <Time at={at} /> <b>{action ?? 'unreadable'}</b> {screen && <code>{screen}</code>}
                  <small class="dim">
                    {status === 200 ? 200 : <Badge tone="bad">{status ?? 'no response'}</Badge>}
                    {duration_ms != null && ` · ${duration_ms} ms`}
                  </small>
                </li>
              ))}
            </ol>
          </section>
        )}
      </div>
    );
  }
}

/** A bar for each step, as wide as there were contacts, with those whom it lost at its end. The numbers stand beside it. */
function FunnelChart({ funnel: { sent, completed }, steps }: { funnel: Funnel; steps: readonly FunnelStep[] }) {
  const share = (count: number) => (sent === 0 ? '' : `${Math.round((100 * count) / sent)} %`);
  const [worst] = steps.filter(({ stopped = 0 }) => stopped > 0).toSorted((one, other) => other.lost - one.lost);
  return (
    <>
      {sent > 0 && (
        <p class="outcome">
          <b>{share(completed)}</b> completed it: {completed} of {sent}.
          {worst && ` The most stopped at “${worst.title}”.`}
        </p>
      )}
      <dl class="funnel">
        {steps.map(({ name, title, count, lost, stopped }) => (
          <>
            <dt>
              {title}
              {title !== name && <code class="dim"> {name}</code>}
            </dt>
            <dd>
              <svg viewBox={`0 0 ${Math.max(1, sent)} 10`} preserveAspectRatio="none" aria-hidden="true">
                <rect width={count ?? 0} height={10} />
                <rect class="lost" x={(count ?? 0) - lost} width={lost} height={10} />
              </svg>
              <span class={name === worst?.name ? 'fault' : ''}>
                <b>{stopped ?? count ?? 'not known'}</b> {stopped !== undefined && 'stopped '}
                {count !== null && <small class="dim">{share(stopped ?? count)}</small>}
              </span>
            </dd>
          </>
        ))}
      </dl>
    </>
  );
}

/** The screens of a Flow JSON in their order, with the titles that people see. */
function screensIn(text = ''): { id: string; title: string }[] {
  const json = parseJson(text);
  const screens = isObject(json) && Array.isArray(json.screens) ? json.screens.filter(isObject) : [];
  return screens.map(({ id, title }) => ({ id: String(id), title: String(title ?? id) }));
}
