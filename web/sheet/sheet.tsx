import { Component, render } from 'preact';
import { FlowRun } from '../preview/flow-run.ts';
import { deviceLook, type Look } from '../preview/look.ts';
import { Phone } from '../preview/phone.tsx';
import type { SheetContent } from './content.ts';
import { contentOfDraft } from './draft.ts';
import { contentOfMessage } from './message.ts';

/** Who sent the Flow. Known if it opens over a chat. */
const business = new URLSearchParams(location.search).get('business');

/** The page around this one closes the sheet. */
const close = () => parent.postMessage('close', origin);

/** The Flow as a phone shows it, without anything beside it. */
class Sheet extends Component<{ content: SheetContent; look: Look }> {
  readonly #run = new FlowRun({ ...this.props.content, changed: () => this.forceUpdate() });

  readonly #restart = () => {
    this.#run.restart();
    for (const menu of document.querySelectorAll('.menu')) menu.removeAttribute('open');
  };

  override componentDidMount() {
    this.#run.open();
  }

  override render({ look }: { content: SheetContent; look: Look }) {
    const { flow, state, ui } = this.#run;
    const chat =
      business === null ? {} : { chat: { close, restart: this.#restart, managed: `Managed by ${business}` } };
    return (
      <div class="preview sheet" data-system={look.system} data-theme={look.theme}>
        <Phone flow={flow} state={state} ui={ui} back={() => this.#run.back()} {...chat} />
      </div>
    );
  }
}

// The keys pressed in this frame do not reach the dialog around it. The calendar closes first.
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && document.querySelector('dialog[open]') === null) close();
});

const root = document.getElementById('page');

let shown = 0;

async function show(load: Promise<SheetContent>): Promise<void> {
  if (root === null) return;
  shown += 1;
  try {
    render(<Sheet key={shown} content={await load} look={deviceLook()} />, root);
  } catch (error) {
    render(
      <p class="sheet-trouble" role="alert">
        {error instanceof Error ? error.message : String(error)}
      </p>,
      root,
    );
  }
}

/** The address names a sent message after its `#`. Without one, the page around this one sends a Flow JSON. */
const message = decodeURIComponent(location.hash.slice(1));
if (message !== '') {
  void show(contentOfMessage(message));
} else {
  addEventListener('message', ({ data, origin }: MessageEvent<{ flowJson?: string }>) => {
    if (origin === location.origin && data.flowJson !== undefined) void show(contentOfDraft(data.flowJson));
  });
  parent.postMessage('ready', origin);
}
