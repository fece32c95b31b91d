import { Component, createRef, type TargetedInputEvent, type TargetedSubmitEvent } from 'preact';
import type { Snapshot } from '../../snapshot.ts';
import type { Chat } from './chats.ts';
import { replyTo, sendEvent, sendFile } from './contact-acts.ts';
import { numberName } from './names.ts';

/** A message that the contact replies to. */
export interface Quoted {
  readonly id: string;
  readonly text: string;
}

interface ComposerProps {
  readonly chat: Chat;
  readonly snapshot: Snapshot;
  readonly quoted: Quoted | undefined;
  /** The message is sent, or the reply is given up. */
  readonly done: () => void;
}

interface ComposerState {
  isBusy: boolean;
  fault?: string | undefined;
}

const place = { latitude: -23.5614, longitude: -46.6559, name: 'Avenida Paulista', address: 'São Paulo' };

/** Where the contact writes: a text, a file, a place, or somebody's contact card. */
export class Composer extends Component<ComposerProps, ComposerState> {
  override state: ComposerState = { isBusy: false };
  readonly #text = createRef<HTMLInputElement>();

  override componentDidUpdate({ quoted }: ComposerProps) {
    if (this.props.quoted !== undefined && this.props.quoted !== quoted) this.#text.current?.focus();
  }

  override render({ quoted, done }: ComposerProps, { isBusy, fault }: ComposerState) {
    return (
      <form class="composer" onSubmit={this.#submit}>
        {quoted !== undefined && (
          <p class="quoted">
            <span>{quoted.text}</span>
            <button type="button" class="quiet" onClick={done}>
              No reply
            </button>
          </p>
        )}
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <details class="attach">
          <summary aria-label="Attach">+</summary>
          <div class="menu">
            <label class="file">
              Photo, video, audio or document
              <input type="file" onInput={this.#attach} />
            </label>
            <button type="button" onClick={() => this.#send({ type: 'location', location: place })}>
              Location
            </button>
            <button type="button" onClick={() => this.#send({ type: 'contacts' })}>
              Contact card
            </button>
          </div>
        </details>
        <input
          ref={this.#text}
          name="text"
          aria-label="Message"
          placeholder="Message"
          autocomplete="off"
          maxLength={4096}
        />
        <button type="submit" class="primary" disabled={isBusy}>
          Send
        </button>
      </form>
    );
  }

  #context(): object {
    const { quoted, chat, snapshot } = this.props;
    return quoted === undefined ? {} : replyTo(quoted.id, numberName(chat.phoneNumberId, snapshot));
  }

  readonly #submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = this.#text.current;
    const body = field?.value.trim();
    if (field === null || !body) return;
    field.value = '';
    void this.#send({ type: 'text', text: { body } });
  };

  readonly #attach = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    currentTarget.value = '';
    currentTarget.closest('details')?.removeAttribute('open');
    if (file === undefined) return;
    const caption = this.#text.current?.value.trim() ?? '';
    if (this.#text.current !== null) this.#text.current.value = '';
    void this.#run(() => sendFile(this.props.chat, file, caption, this.#context()));
  };

  #send(event: Parameters<typeof sendEvent>[1]): Promise<void> {
    return this.#run(() => sendEvent(this.props.chat, { ...event, ...this.#context() }));
  }

  async #run(act: () => Promise<unknown>): Promise<void> {
    this.setState({ isBusy: true, fault: undefined });
    try {
      await act();
      this.setState({ isBusy: false });
      this.props.done();
    } catch (error) {
      this.setState({ isBusy: false, fault: error instanceof Error ? error.message : String(error) });
    }
  }
}
