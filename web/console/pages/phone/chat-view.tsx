import { Component, createRef } from 'preact';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge, Empty } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { CallEntry } from './call-entry.tsx';
import type { Chat } from './chats.ts';
import { Composer, type Quoted } from './composer.tsx';
import { call, setWindow } from './contact-acts.ts';
import { contactName, numberName } from './names.ts';
import { ReceivedBubble } from './received-bubble.tsx';
import { SentBubble } from './sent-bubble.tsx';

interface ChatViewProps {
  readonly chat: Chat;
  readonly snapshot: Snapshot;
}

/** One chat, as the contact sees it: the number is the other side. */
export class ChatView extends Component<ChatViewProps, { quoted?: Quoted | undefined }> {
  override state: { quoted?: Quoted | undefined } = {};
  readonly #entries = createRef<HTMLOListElement>();

  override componentDidMount() {
    this.#scrollToEnd();
  }

  override componentDidUpdate({ chat }: ChatViewProps) {
    if (chat.entries.length !== this.props.chat.entries.length) this.#scrollToEnd();
  }

  override render({ chat, snapshot }: ChatViewProps, { quoted }: typeof this.state) {
    const quote = (text: string, id: string) => this.setState({ quoted: { id, text } });
    return (
      <section class="chat" aria-label="Chat">
        <ChatHeader chat={chat} snapshot={snapshot} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
        <ol class="entries" ref={this.#entries} tabIndex={0} aria-label="Messages">
          {chat.entries.length === 0 && (
            <li>
              <Empty>Write the first message. The number gets it as its customer would send it.</Empty>
            </li>
          )}
          {chat.entries.map((entry) => {
            if (entry.kind === 'call') return <CallEntry key={entry.call.id} call={entry.call} snapshot={snapshot} />;
            return entry.kind === 'sent' ? (
              <SentBubble
                key={entry.message.id}
                message={entry.message}
                chat={chat}
                snapshot={snapshot}
                quote={quote}
              />
            ) : (
              <ReceivedBubble key={entry.message.id} message={entry.message} chat={chat} />
            );
          })}
        </ol>
        <Composer chat={chat} snapshot={snapshot} quoted={quoted} done={() => this.setState({ quoted: undefined })} />
      </section>
    );
  }

  #scrollToEnd(): void {
    const list = this.#entries.current;
    if (list !== null) list.scrollTop = list.scrollHeight;
  }
}

function ChatHeader({ chat, snapshot }: ChatViewProps) {
  const number = snapshot.world.numbers.find(({ phone_number_id }) => phone_number_id === chat.phoneNumberId);
  const closesAt = snapshot.windows.get(`${chat.phoneNumberId} ${chat.contact}`)?.closes_at;
  const isOpen = closesAt === undefined || closesAt > Date.now();
  return (
    <header>
      <a class="back" href="#/phone" aria-label="All chats">
        ‹
      </a>
      <div class="title">
        <h1>{numberName(chat.phoneNumberId, snapshot)}</h1>
        <p class="dim">You are {contactName(chat.contact, snapshot)}</p>
      </div>
      <Badge tone={isOpen ? 'good' : 'warn'}>{windowText(closesAt, isOpen)}</Badge>
      <ActionButton kind="quiet" act={() => setWindow(chat, !isOpen)}>
        {isOpen ? 'Close window' : 'Open window'}
      </ActionButton>
      {number?.calling_enabled && (
        <ActionButton kind="quiet" act={() => call(chat)}>
          Call
        </ActionButton>
      )}
    </header>
  );
}

/** In the simulator, the window of every contact is open until it is closed once. */
function windowText(closesAt: number | undefined, isOpen: boolean): string {
  if (closesAt === undefined) return 'window open';
  if (!isOpen) return 'window closed: templates only';
  const minutes = Math.round((closesAt - Date.now()) / 60_000);
  return `window open for ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
