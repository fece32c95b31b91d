import { Component } from 'preact';
import { Boundary } from '#web/preview/boundary.ts';
import { decoded } from '#web/preview/decoded.ts';
import { Bar, type WorldNumber } from './bar.tsx';
import type { Live } from './live.ts';
import type { PageView } from './page-view.ts';
import { Flows } from './pages/flows/flows.tsx';
import { Inspector } from './pages/inspector/inspector.tsx';
import { isIncoming, rings } from './pages/phone/call-state.ts';
import { CurrentCall } from './pages/phone/current-call.tsx';
import { Phone } from './pages/phone/phone.tsx';
import { Ring } from './pages/phone/ring.tsx';
import { Platform } from './pages/platform/platform.tsx';
import { Start } from './pages/start.tsx';
import type { Snapshot } from './snapshot.ts';
import { countUnread, markRead } from './unread.ts';

/** The pages, in the order of their links. */
const pages: readonly { readonly path: string; readonly name: string; readonly view: PageView }[] = [
  { path: '', name: 'Start', view: Start },
  { path: 'phone', name: 'Phone', view: Phone },
  { path: 'inspector', name: 'Inspector', view: Inspector },
  { path: 'flows', name: 'Flows', view: Flows },
  { path: 'platform', name: 'Platform', view: Platform },
];

/** The address after `#/`: the page, and what it shows. */
const route = () => location.hash.replace(/^#\/?/, '').split('/').map(decoded);

const isShown = (element: Element | null) => element !== null && element !== document.body && element.checkVisibility();

interface AppState {
  /** The calls whose ring somebody has put away. */
  readonly ignored: readonly string[];
  /** The id of the chosen number. */
  readonly number?: string;
}

/** The console: links to its pages, and the one that the address names. */
export class App extends Component<{ live: Live }, AppState> {
  override state: AppState = { ignored: [] };
  #stop = () => {};

  override componentDidMount() {
    const stopListening = this.props.live.listen(() => this.forceUpdate());
    let [page] = route();
    const moved = () => {
      const [before] = [page];
      [page] = route();
      this.forceUpdate(() => {
        const main = document.querySelector('main');
        if (page !== before) {
          scrollTo(0, 0);
          main?.focus({ preventScroll: true });
        }
        // Within a page, the focus stays on what was chosen, unless a narrow page shows something else instead.
        else if (!isShown(document.activeElement)) main?.focus({ preventScroll: true });
      });
    };
    addEventListener('hashchange', moved);
    this.#stop = () => {
      stopListening();
      removeEventListener('hashchange', moved);
    };
  }

  override componentWillUnmount() {
    this.#stop();
  }

  override render({ live }: { live: Live }, { ignored, number: chosen }: AppState) {
    const [path = '', ...rest] = route();
    const { name, view: View } = pages.find((page) => page.path === path) ?? { name: 'Start', view: Start };
    const { snapshot } = live;
    const calls = [...(snapshot?.calls.values() ?? [])].filter(({ state }) => state !== 'ENDED');
    const ringing = calls.find((call) => rings(call) && isIncoming(call) && !ignored.includes(call.id));
    const number = numberOf(snapshot, chosen);
    const [phoneNumberId, contact] = rest;
    if (path === 'phone' && phoneNumberId && contact && document.hasFocus()) markRead(phoneNumberId, contact);
    document.title = `${name} · Local world`;
    return (
      <div class="console">
        <div class="top">
          <Bar
            live={live}
            links={pages.map((page) => ({ ...page, ...newsOn(page.path, snapshot) }))}
            shown={name}
            number={number}
            choose={(id) => this.setState({ number: id })}
          />
          {live.trouble !== undefined && (
            <p class={live.isRestarting ? 'trouble calm' : 'trouble'} role="alert">
              {live.trouble}
            </p>
          )}
          {snapshot !== undefined &&
            calls
              .filter((call) => call !== ringing)
              .map((call) => <CurrentCall key={call.id} call={call} snapshot={snapshot} />)}
        </div>
        <main tabIndex={-1}>
          {live.snapshot === undefined ? (
            <h1 class="visually-hidden">{name}</h1>
          ) : (
            <Boundary
              key={`${path} ${live.snapshot.started_at}`}
              instead={
                <div class="page">
                  <h1>{name}</h1>
                  <p class="fault" role="alert">
                    This page cannot be shown. Reload it, or choose another one.
                  </p>
                </div>
              }
            >
              <View snapshot={live.snapshot} live={live} number={number} rest={rest} />
            </Boundary>
          )}
        </main>
        {snapshot !== undefined && ringing !== undefined && (
          <Ring
            key={ringing.id}
            call={ringing}
            snapshot={snapshot}
            ignore={() => this.setState({ ignored: [...ignored, ringing.id] })}
          />
        )}
      </div>
    );
  }
}

const numberOf = (snapshot: Snapshot | undefined, chosen: string | undefined): WorldNumber | undefined => {
  const active = snapshot?.world.numbers.filter((one) => one.active) ?? [];
  return active.find(({ id }) => id === chosen) ?? active[0];
};

/** What somebody should look at on a page that they do not see. */
function newsOn(path: string, snapshot: Snapshot | undefined): { count: number; counted: string } {
  if (snapshot !== undefined && path === 'phone') return { count: countUnread(snapshot), counted: 'unread' };
  if (snapshot === undefined || path !== 'inspector') return { count: 0, counted: '' };
  const waiting = [...snapshot.deliveries.values()].filter(({ state }) =>
    ['waiting', 'held', 'exhausted'].includes(state),
  );
  return { count: waiting.length, counted: 'not delivered' };
}
