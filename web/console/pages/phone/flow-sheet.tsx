import { Component, createRef } from 'preact';
import type { Chat } from './chats.ts';
import { keyOf } from './chats.ts';

/** The sheet over the chat, in which the contact fills in a Flow. It closes when the Flow is completed. */
export class FlowSheet extends Component<{ chat: Chat; message: string }> {
  readonly #dialog = createRef<HTMLDialogElement>();

  readonly #completed = ({ data, origin }: MessageEvent) => {
    if (origin === location.origin && data === 'completed') this.#close();
  };

  readonly #close = () => {
    location.hash = `#/phone/${keyOf(this.props.chat)}`;
  };

  override componentDidMount() {
    this.#dialog.current?.showModal();
    addEventListener('message', this.#completed);
  }

  override componentWillUnmount() {
    removeEventListener('message', this.#completed);
  }

  override render({ message }: { chat: Chat; message: string }) {
    return (
      <dialog class="sheet" ref={this.#dialog} aria-label="Flow" onClose={this.#close}>
        <div class="sheet-bar">
          <button type="button" class="quiet" aria-label="Close the Flow" onClick={this.#close}>
            ✕
          </button>
        </div>
        <iframe title="Flow" src={`/sheet#${encodeURIComponent(message)}`} />
      </dialog>
    );
  }
}
