import { Component } from 'preact';
import type { PageProps } from '../../page-view.ts';
import { Icon } from '../../parts/icon.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { ChatList } from './chat-list.tsx';
import { ChatView } from './chat-view.tsx';
import { type Chat, type ChatKey, chatsOf, emptyChat, keyOf } from './chats.ts';
import { FlowSheet } from './flow-sheet.tsx';

/** The phones of contacts, who write to the numbers of this world. */
export class Phone extends Component<PageProps> {
  override render({ snapshot, rest }: PageProps) {
    const [phoneNumberId, contact, openedFlow] = rest;
    const chats = chatsOf(snapshot);
    const isOpen = phoneNumberId !== undefined && contact !== undefined;
    const key = isOpen ? { phoneNumberId, contact } : undefined;
    const isKnown = key !== undefined && isInWorld(key, chats, snapshot);
    const chat = isKnown ? (chats.find((one) => keyOf(one) === keyOf(key)) ?? emptyChat(key)) : undefined;
    return (
      <div class="phone-page" data-open={isOpen}>
        {chat === undefined && <h1 class="visually-hidden">Phone</h1>}
        <ChatList chats={chats} snapshot={snapshot} open={chat} />
        {chat === undefined ? (
          <div class="nothing-open">
            <span class="avatar">
              <Icon name="people" />
            </span>
            {key && (
              <p>
                There is no{' '}
                {numberOf(key, snapshot) === undefined ? `number ${key.phoneNumberId}` : `contact ${key.contact}`} in
                this world.
              </p>
            )}
            <p class="dim">{key ? <a href="#/phone">Choose a chat</a> : 'Choose a chat'}, or add a contact.</p>
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
}

const numberOf = ({ phoneNumberId }: ChatKey, { world }: Snapshot) =>
  world.numbers.find(({ phone_number_id }) => phone_number_id === phoneNumberId);

/** Whether the world has both sides of the chat. */
const isInWorld = (key: ChatKey, chats: readonly Chat[], snapshot: Snapshot) =>
  numberOf(key, snapshot) !== undefined &&
  (canBeContact(key.contact) || snapshot.contacts.has(key.contact) || chats.some((chat) => keyOf(chat) === keyOf(key)));

/** People may write first from any phone number, and with any user id. */
const canBeContact = (contact: string) => /^\d{7,15}$|^[A-Z]{2}\.\w+$/.test(contact);
