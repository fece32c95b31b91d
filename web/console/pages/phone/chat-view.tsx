import { Component, createRef, Fragment } from 'preact';
import { Boundary } from '#web/preview/boundary.ts';
import type { Snapshot } from '../../snapshot.ts';
import { CallEntry } from './call-entry.tsx';
import { ChatHeader } from './chat-header.tsx';
import { type Chat, type Entry, isGroup } from './chats.ts';
import { type Chosen, Composer } from './composer.tsx';
import { businessName, contactName, numberName } from './names.ts';
import { ReceivedBubble } from './received-bubble.tsx';
import { SentBubble } from './sent-bubble.tsx';

interface ChatViewProps {
  readonly chat: Chat;
  readonly snapshot: Snapshot;
}

/** One chat, as the contact sees it: the number is the other side. */
export class ChatView extends Component<ChatViewProps, { chosen?: Chosen | undefined }> {
  override state: { chosen?: Chosen | undefined } = {};
  readonly #entries = createRef<HTMLElement>();

  readonly #quote = (id: string, text: string) => this.setState({ chosen: { as: 'reply', id, text } });
  readonly #edit = (id: string, text: string) => this.setState({ chosen: { as: 'edit', id, text } });
  readonly #done = () => this.setState({ chosen: undefined });

  override componentDidMount() {
    this.#scrollToEnd();
  }

  override componentDidUpdate({ chat }: ChatViewProps) {
    if (chat.entries.length !== this.props.chat.entries.length) this.#scrollToEnd();
  }

  override render({ chat, snapshot }: ChatViewProps, { chosen }: typeof this.state) {
    return (
      <section class="chat" aria-label="Chat">
        <ChatHeader chat={chat} snapshot={snapshot} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
        <section class="scroller" ref={this.#entries} tabIndex={0} role="log" aria-label="Messages">
          <ol class="entries">
            {chat.entries.length === 0 && (
              <li class="day">Write the first message. The number gets it as if a customer had sent it.</li>
            )}
            {chat.entries.map((entry, i) => (
              <Fragment key={entry.kind === 'call' ? entry.call.id : entry.message.id}>
                {dayOf(entry) !== dayOf(chat.entries[i - 1]) && <li class="day">{dayOf(entry)}</li>}
                <Boundary instead={<li class="fault">This message cannot be shown.</li>}>{this.#entry(entry)}</Boundary>
              </Fragment>
            ))}
          </ol>
        </section>
        <Composer chat={chat} number={numberName(chat.phoneNumberId, snapshot)} chosen={chosen} done={this.#done} />
      </section>
    );
  }

  #entry(entry: Entry) {
    const { chat, snapshot } = this.props;
    if (entry.kind === 'call') return <CallEntry call={entry.call} snapshot={snapshot} />;
    const { phoneNumberId, contact } = chat;
    const common = { phoneNumberId, contact, quote: this.#quote };
    if (entry.kind === 'sent') {
      const { kind: _, at: __, ...shown } = entry;
      const from = numberName(phoneNumberId, snapshot);
      const business = businessName(phoneNumberId, snapshot);
      return <SentBubble {...common} {...shown} templates={snapshot.templates} from={from} business={business} />;
    }
    const { kind: _, at: __, ...shown } = entry;
    const author = isGroup(contact) ? contactName(entry.message.contact, snapshot) : undefined;
    return <ReceivedBubble {...common} {...shown} author={author} edit={this.#edit} />;
  }

  /** The latest message is the one that matters. The scroller begins at its end. */
  #scrollToEnd(): void {
    if (this.#entries.current !== null) this.#entries.current.scrollTop = 0;
  }
}

function dayOf(entry: Entry | undefined): string {
  if (entry === undefined) return '';
  return new Date(entry.at).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
}
