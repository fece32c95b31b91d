import { Component, render } from 'preact';
import type { JsonObject } from '#shared/base/json.ts';
import { messageOf } from '../console/http.ts';
import { Chat, focusOn } from '../preview/chat.tsx';
import { decoded } from '../preview/decoded.ts';
import { Phone } from '../preview/flow-on-phone.tsx';
import { FlowRun } from '../preview/flow-run.ts';
import { deviceLook, type Look } from '../preview/look.ts';
import { contentOfDraft, type SheetContent } from './draft.ts';
import { contentOfMessage } from './message.ts';

/** Who sent the Flow. Known if it opens over a chat. */
const business = new URLSearchParams(location.search).get('business');

/** The page around this one closes the sheet over a chat. */
const closeSheet = () => parent.postMessage('close', origin);

interface SheetProps {
  readonly content: SheetContent;
  readonly look: Look;
}

interface SheetState {
  isOpen: boolean;
  fault?: string | undefined;
}

/** The Flow as a phone shows it, without anything beside it. */
class Sheet extends Component<SheetProps, SheetState> {
  override state: SheetState = { isOpen: true };
  readonly #run = new FlowRun({
    ...this.props.content,
    changed: () => this.forceUpdate(),
    completed: (response) => void this.#complete(response),
  });

  async #complete(response: JsonObject): Promise<void> {
    try {
      await this.props.content.completed?.(response);
    } catch (error) {
      this.setState({ fault: `The final response was not sent. ${messageOf(error)}` });
    }
  }

  readonly #restart = () => {
    this.#run.restart();
    this.setState({ isOpen: true, fault: undefined });
  };

  /** A Flow that is being written opens over no chat, so its message shows instead. */
  readonly #close = () => {
    if (business === null) this.setState({ isOpen: false }, () => focusOn('.bubble button'));
    else closeSheet();
  };

  override componentDidMount() {
    this.#run.open();
  }

  override render({ look }: SheetProps, { isOpen, fault }: SheetState) {
    const { flow, state, ui } = this.#run;
    return (
      <div class="preview sheet" data-system={look.system} style={{ colorScheme: look.theme }}>
        {fault !== undefined && <Trouble text={fault} />}
        {isOpen ? (
          <Phone
            flow={flow}
            state={state}
            ui={ui}
            back={() => this.#run.back()}
            close={this.#close}
            restart={this.#restart}
            managed={business === null ? undefined : `Managed by ${business}`}
          />
        ) : (
          <Chat say={ui.say} text={'The message that sends this Flow'} open={this.#restart} />
        )}
      </div>
    );
  }
}

const Trouble = ({ text }: { text: string }) => (
  <p class="sheet-trouble" role="alert">
    {text}
  </p>
);

// The keys pressed in this frame do not reach the dialog around it. The calendar and the menu close first.
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && document.querySelector('dialog[open], :popover-open') === null) closeSheet();
});

const root = document.getElementById('page');

let shown = 0;

async function show(load: Promise<SheetContent>, look = deviceLook()): Promise<void> {
  if (root === null) return;
  shown += 1;
  const turn = shown;
  try {
    const content = await load;
    if (turn === shown) render(<Sheet key={turn} content={content} look={look} />, root);
  } catch (error) {
    if (turn !== shown) return;
    render(<Trouble text={messageOf(error)} />, root);
  }
}

/** The address names a sent message after its `#`. Without one, the page around this one sends a Flow JSON. */
const message = decoded(location.hash.slice(1));
if (message !== '') {
  void show(contentOfMessage(message));
} else {
  addEventListener('message', ({ data, origin }: MessageEvent<{ flowJson?: string; system: Look['system'] }>) => {
    if (origin !== location.origin || data.flowJson === undefined) return;
    void show(contentOfDraft(data.flowJson), { ...deviceLook(), system: data.system });
  });
  parent.postMessage('ready', origin);
}
