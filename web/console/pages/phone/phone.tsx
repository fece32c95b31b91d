import { Component } from 'preact';
import type { PageProps } from '../../page.ts';
import { isIncoming, rings } from './call-state.ts';
import { ChatList } from './chat-list.tsx';
import { ChatView } from './chat-view.tsx';
import { chatsOf, emptyChat, keyOf } from './chats.ts';
import { FlowSheet } from './flow-sheet.tsx';
import { Ring } from './ring.tsx';

/** The phones of contacts, who write to the numbers of this world. */
export class Phone extends Component<PageProps, { ignored: readonly string[] }> {
  override state: { ignored: readonly string[] } = { ignored: [] };

  override render({ snapshot, rest }: PageProps, { ignored }: typeof this.state) {
    const [phoneNumberId, contact, openedFlow] = rest;
    const chats = chatsOf(snapshot);
    const isOpen = phoneNumberId !== undefined && contact !== undefined;
    const key = isOpen ? { phoneNumberId, contact } : undefined;
    const chat = key && (chats.find((one) => keyOf(one) === keyOf(key)) ?? emptyChat(key));
    const call = [...snapshot.calls.values()].find((one) => rings(one) && isIncoming(one) && !ignored.includes(one.id));
    const ignore = (id: string) => this.setState({ ignored: [...ignored, id] });
    return (
      <div class="phone-page" data-open={isOpen}>
        {chat === undefined && <h1 class="visually-hidden">Phone</h1>}
        <ChatList chats={chats} snapshot={snapshot} open={chat} />
        {chat === undefined ? (
          <div class="nothing-open dim">
            <p>Choose a chat, or add a contact.</p>
          </div>
        ) : (
          <ChatView key={keyOf(chat)} chat={chat} snapshot={snapshot} ringing={call?.id} />
        )}
        {chat !== undefined && openedFlow !== undefined && (
          <FlowSheet key={openedFlow} chat={chat} message={openedFlow} snapshot={snapshot} />
        )}
        {call !== undefined && <Ring key={call.id} call={call} snapshot={snapshot} ignore={() => ignore(call.id)} />}
      </div>
    );
  }
}
