import { Component } from 'preact';
import type { Live } from './live.ts';
import type { PageView } from './page.ts';
import { Flows } from './pages/flows/flows.tsx';
import { Inspector } from './pages/inspector/inspector.tsx';
import { Phone } from './pages/phone/phone.tsx';
import { Platform } from './pages/platform/platform.tsx';
import { Start } from './pages/start.tsx';

/** The pages, in the order of their links. */
const pages: readonly { readonly path: string; readonly name: string; readonly view: PageView }[] = [
  { path: '', name: 'Start', view: Start },
  { path: 'phone', name: 'Phone', view: Phone },
  { path: 'inspector', name: 'Inspector', view: Inspector },
  { path: 'flows', name: 'Flows', view: Flows },
  { path: 'platform', name: 'Platform', view: Platform },
];

/** The address after `#/`: the page, and what it shows. */
const route = () => location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);

/** The console: links to its pages, and the one that the address names. */
export class App extends Component<{ live: Live }> {
  #stop = () => {};

  override componentDidMount() {
    const stopListening = this.props.live.listen(() => this.forceUpdate());
    let [page] = route();
    const moved = () => {
      const [before] = [page];
      [page] = route();
      this.forceUpdate();
      // Within a page, the focus stays on what was chosen.
      if (page !== before) document.querySelector('main')?.focus();
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

  override render({ live }: { live: Live }) {
    const [path = '', ...rest] = route();
    const { name, view: View } = pages.find((page) => page.path === path) ?? { name: 'Start', view: Start };
    document.title = `${name} · Local world`;
    return (
      <div class="console">
        <header class="bar">
          <nav aria-label="Pages">
            {pages.map((page) => (
              <a href={`#/${page.path}`} aria-current={page.name === name ? 'page' : undefined}>
                {page.name}
              </a>
            ))}
          </nav>
        </header>
        {live.trouble !== undefined && (
          <p class={live.isRestarting ? 'trouble calm' : 'trouble'} role="alert">
            {live.trouble}
          </p>
        )}
        <main tabIndex={-1}>
          {live.snapshot && (
            <View key={`${path} ${live.snapshot.started_at}`} snapshot={live.snapshot} live={live} rest={rest} />
          )}
        </main>
      </div>
    );
  }
}
