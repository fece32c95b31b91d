import { Component, createRef, type TargetedInputEvent, type TargetedSubmitEvent } from 'preact';
import { closeMenu, Menu } from '#web/preview/menu.tsx';
import { messageOf } from '../../http.ts';
import { Icon } from '../../parts/icon.tsx';
import { type ChatKey, keyOf } from './chats.ts';
import { replyTo, sendEvent, sendFile, takesCaption } from './contact-acts.ts';

/** A message that the contact replies to, or writes anew. */
export interface Chosen {
  readonly as: 'reply' | 'edit';
  readonly id: string;
  readonly text: string;
}

interface ComposerProps {
  readonly chat: ChatKey;
  /** The number of the chat. */
  readonly number: string;
  readonly chosen: Chosen | undefined;
  /** The message is sent, or the reply is cancelled. */
  readonly done: () => void;
}

interface ComposerState {
  isBusy: boolean;
  fault?: string | undefined;
}

/** What is written in each chat and not sent: it stays while the page shows something else. */
const drafts = new Map<string, string>();

/** The files that a phone offers to send, which differ in what the browser lets people choose. */
const files = [
  ['image', 'Photo or video', 'image/jpeg,image/png,video/*'],
  ['document', 'Document', ''],
  ['audio', 'Audio', 'audio/*'],
  ['sticker', 'Sticker (WebP)', 'image/webp'],
] as const;

const place = { latitude: -23.5614, longitude: -46.6559, name: 'Avenida Paulista', address: 'São Paulo' };

/** Where the contact writes: a text, a file, a place, or somebody's contact card. */
export class Composer extends Component<ComposerProps, ComposerState> {
  override state: ComposerState = { isBusy: false };
  readonly #text = createRef<HTMLTextAreaElement>();

  override componentDidMount() {
    this.#showDraft();
  }

  override componentDidUpdate({ chosen }: ComposerProps) {
    const next = this.props.chosen;
    const field = this.#text.current;
    if (next === chosen || field === null) return;
    if (next?.as === 'edit') field.value = next.text;
    else if (chosen?.as === 'edit') this.#showDraft();
    if (next !== undefined) field.focus();
  }

  #showDraft(): void {
    if (this.#text.current !== null) this.#text.current.value = drafts.get(keyOf(this.props.chat)) ?? '';
  }

  /** The text of an edit is not a draft. */
  readonly #keepDraft = () => {
    if (this.props.chosen?.as !== 'edit') drafts.set(keyOf(this.props.chat), this.#text.current?.value ?? '');
  };

  override render({ chosen, done }: ComposerProps, { isBusy, fault }: ComposerState) {
    return (
      <form class="composer" onSubmit={this.#submit}>
        {chosen !== undefined && (
          <p class="quoted">
            <span dir="auto">
              {chosen.as === 'edit' && 'Edit: '}
              {chosen.text}
            </span>
            <button type="button" class="quiet" onClick={done}>
              {chosen.as === 'edit' ? 'Cancel edit' : 'Cancel reply'}
            </button>
          </p>
        )}
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        {chosen?.as !== 'edit' && (
          <Menu class="attach" label="Attach" sign={<Icon name="attach" />}>
            {files.map(([icon, name, accept]) => (
              <label class="choice">
                <Icon name={icon} /> {name}
                <input class="visually-hidden" type="file" accept={accept} onInput={this.#attach} />
              </label>
            ))}
            <button type="button" class="choice" onClick={this.#sharePlace}>
              <Icon name="place" /> Location
            </button>
            <button type="button" class="choice" onClick={this.#shareCard}>
              <Icon name="person" /> Contact card
            </button>
          </Menu>
        )}
        <textarea
          ref={this.#text}
          name="text"
          rows={1}
          dir="auto"
          aria-label="Message"
          placeholder="Message"
          autocomplete="off"
          maxLength={4096}
          onInput={this.#keepDraft}
          onKeyDown={this.#pressed}
        />
        <button type="submit" class="primary" aria-label="Send" aria-busy={isBusy}>
          <Icon name="send" />
        </button>
      </form>
    );
  }

  /** Enter sends, with Shift it begins a new line, and Escape cancels the reply. */
  readonly #pressed = (event: KeyboardEvent) => {
    const { key, shiftKey, isComposing } = event;
    if (key === 'Escape') this.props.done();
    if (key !== 'Enter' || shiftKey || isComposing) return;
    event.preventDefault();
    this.#text.current?.form?.requestSubmit();
  };

  #context(): object {
    const { chosen, number } = this.props;
    return chosen?.as === 'reply' ? replyTo(chosen.id, number) : {};
  }

  readonly #submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = this.#takeText();
    if (body === '') return;
    const { chosen } = this.props;
    const message = { type: 'text', text: { body } };
    const edit = { type: 'edit', edit: { original_message_id: chosen?.id, message } };
    void this.#send(chosen?.as === 'edit' ? edit : message, body);
  };

  readonly #attach = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    closeMenu(currentTarget);
    currentTarget.value = '';
    if (file === undefined) return;
    const caption = takesCaption(file) ? this.#takeText() : '';
    void this.#run(() => sendFile(this.props.chat, file, caption, this.#context()), caption);
  };

  readonly #sharePlace = ({ currentTarget }: { readonly currentTarget: Element }) => {
    closeMenu(currentTarget);
    void this.#send({ type: 'location', location: place });
  };

  readonly #shareCard = ({ currentTarget }: { readonly currentTarget: Element }) => {
    closeMenu(currentTarget);
    void this.#send({ type: 'contacts' });
  };

  /** What is written, which leaves the field. */
  #takeText(): string {
    const field = this.#text.current;
    const text = field?.value.trim() ?? '';
    if (field !== null) field.value = '';
    this.#keepDraft();
    return text;
  }

  #send(event: Parameters<typeof sendEvent>[1], text = ''): Promise<void> {
    return this.#run(() => sendEvent(this.props.chat, { ...event, ...this.#context() }), text);
  }

  /** A text that could not be sent returns to the field, in front of what was typed meanwhile. */
  async #run(act: () => Promise<unknown>, text: string): Promise<void> {
    this.setState({ isBusy: true, fault: undefined });
    try {
      await act();
      this.setState({ isBusy: false });
      this.props.done();
    } catch (error) {
      const { chat, chosen } = this.props;
      const field = this.#text.current;
      const kept = [text, field?.value ?? drafts.get(keyOf(chat))].filter(Boolean).join('\n');
      if (field !== null) field.value = kept;
      if (chosen?.as !== 'edit') drafts.set(keyOf(chat), kept);
      this.setState({ isBusy: false, fault: `This was not sent. ${messageOf(error)}` });
    }
  }
}
