import { Component, createRef } from 'preact';
import type { Snapshot } from '../../snapshot.ts';
import { type Chat, keyOf } from './chats.ts';
import { businessName } from './names.ts';

interface FlowSheetProps {
  readonly chat: Chat;
  readonly message: string;
  readonly snapshot: Snapshot;
}

/** The sheet over the chat, in which the contact fills in a Flow. It closes when the Flow is completed. */
export class FlowSheet extends Component<FlowSheetProps> {
  readonly #dialog = createRef<HTMLDialogElement>();

  readonly #said = ({ data, origin }: MessageEvent) => {
    if (origin === location.origin && (data === 'completed' || data === 'close')) this.#close();
  };

  /** A dialog that closes gives the focus back, and one that is only removed does not. */
  readonly #close = () => this.#dialog.current?.close();

  /** Going back does not open it again. */
  readonly #closed = () => location.replace(`#/phone/${keyOf(this.props.chat)}`);

  override componentDidMount() {
    this.#dialog.current?.showModal();
    addEventListener('message', this.#said);
  }

  override componentWillUnmount() {
    removeEventListener('message', this.#said);
  }

  override render({ chat, message, snapshot }: FlowSheetProps) {
    const business = encodeURIComponent(businessName(chat.phoneNumberId, snapshot));
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog on Escape.
      <dialog
        class="bottom-sheet sheet"
        ref={this.#dialog}
        aria-label="Flow"
        closedby="any"
        onClose={this.#closed}
        // Safari does not know `closedby`. The frame fills the dialog, so a click on the dialog is one beside it.
        onClick={({ target, currentTarget }) => target === currentTarget && this.#close()}
      >
        <iframe title="Flow" src={`/sheet?business=${business}#${encodeURIComponent(message)}`} />
      </dialog>
    );
  }
}
