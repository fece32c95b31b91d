import { Icon } from '../../parts/icon.tsx';
import { Empty, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { countUnread } from '../../unread.ts';
import { Ticks } from './bubble.tsx';
import { type Chat, emptyChat, entrySummary, isGroup, keyOf } from './chats.ts';
import { businessName, contactName, givenName, numberName } from './names.ts';
import { NewContact } from './new-contact.tsx';

interface ChatListProps {
  readonly chats: readonly Chat[];
  readonly snapshot: Snapshot;
  readonly open: Chat | undefined;
}

/** The phones of all contacts, each with its chats, and a form that makes another contact. */
export function ChatList({ chats, snapshot, open }: ChatListProps) {
  const all = open === undefined || chats.some((one) => keyOf(one) === keyOf(open)) ? chats : [open, ...chats];
  const phones = [...Map.groupBy(all, ({ contact }) => contact)];
  return (
    <section class="chats" aria-label="Chats">
      <details class="new-contact" open={all.length === 0}>
        <summary>New contact</summary>
        <NewContact world={snapshot.world} />
      </details>
      {phones.length === 0 && (
        <Empty>Nobody has written yet. Add a contact, and write to a number of this world.</Empty>
      )}
      {phones.map(([contact, own]) => (
        <section key={contact} class="phone-of">
          <h2>
            <span class="avatar" aria-hidden="true">
              {[...givenName(contact, snapshot)][0]?.toUpperCase() ?? (
                <Icon name={isGroup(contact) ? 'people' : 'person'} />
              )}
            </span>
            <span>
              <b>{givenName(contact, snapshot) || contactName(contact, snapshot)}</b>
              {givenName(contact, snapshot) !== '' && <small class="dim">{contactName(contact, snapshot)}</small>}
            </span>
          </h2>
          <ul>
            {(contact === open?.contact ? withAllNumbers(own, contact, snapshot) : own).map((chat) => (
              <Row key={keyOf(chat)} chat={chat} snapshot={snapshot} isOpen={open && keyOf(open) === keyOf(chat)} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

function Row({ chat, snapshot, isOpen }: { chat: Chat; snapshot: Snapshot; isOpen: boolean | undefined }) {
  const last = chat.entries.at(-1);
  const unread = countUnread(snapshot, chat);
  return (
    <li>
      <a href={`#/phone/${keyOf(chat)}`} aria-current={isOpen ? 'true' : undefined}>
        <span class="business">
          <b>{businessName(chat.phoneNumberId, snapshot)}</b>{' '}
          <small class="dim">{numberName(chat.phoneNumberId, snapshot)}</small>
        </span>
        <small class="dim">{last && <Time at={last.at} isShort />}</small>
        {last && (
          <span class="last dim" dir="auto">
            {last.kind === 'received' && <Ticks status={last.message.read ? 'read' : 'sent'} />} {entrySummary(last)}
          </span>
        )}
        {unread > 0 && (
          <small class="count">
            {unread}
            <span class="visually-hidden"> unread</span>
          </small>
        )}
      </a>
    </li>
  );
}

/** On the phone that is open, every number is a contact, also one that it has not written to. */
function withAllNumbers(own: readonly Chat[], contact: string, { world }: Snapshot): readonly Chat[] {
  if (isGroup(contact)) return own;
  const others = world.numbers
    .map(({ phone_number_id: phoneNumberId }) => emptyChat({ phoneNumberId, contact }))
    .filter(({ phoneNumberId }) => own.every((chat) => chat.phoneNumberId !== phoneNumberId));
  return [...own, ...others];
}
