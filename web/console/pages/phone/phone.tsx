import type { PageProps } from '../../page.ts';
import { ChatList } from './chat-list.tsx';
import { ChatView } from './chat-view.tsx';
import { chatsOf, emptyChat, keyOf } from './chats.ts';
import { FlowSheet } from './flow-sheet.tsx';

/** The phones of contacts, who write to the numbers of this world. */
export function Phone({ snapshot, rest: [phoneNumberId, contact, openedFlow] }: PageProps) {
  const chats = chatsOf(snapshot);
  const isOpen = phoneNumberId !== undefined && contact !== undefined;
  const chat = isOpen
    ? (chats.find((one) => keyOf(one) === keyOf({ phoneNumberId, contact })) ?? emptyChat(phoneNumberId, contact))
    : undefined;
  return (
    <div class="phone-page" data-open={isOpen}>
      <ChatList chats={chats} snapshot={snapshot} open={chat} />
      {chat === undefined ? (
        <div class="nothing-open dim">
          <h1>Phone</h1>
          <p>Choose a chat, or start one.</p>
        </div>
      ) : (
        <ChatView key={keyOf(chat)} chat={chat} snapshot={snapshot} />
      )}
      {chat !== undefined && openedFlow !== undefined && (
        <FlowSheet key={openedFlow} chat={chat} message={openedFlow} snapshot={snapshot} />
      )}
    </div>
  );
}
