import { Component } from 'preact';
import { Menu } from '#web/preview/menu.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Badge } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { type Chat, isGroup } from './chats.ts';
import { call, setWindow } from './contact-acts.ts';
import { businessName, contactName, givenName, numberName } from './names.ts';

interface ChatHeaderProps {
  readonly chat: Chat;
  readonly snapshot: Snapshot;
}

/** Who writes with whom, the window of 24 hours, and what can be done apart from writing. */
export function ChatHeader({ chat, snapshot }: ChatHeaderProps) {
  const number = snapshot.world.numbers.find(({ phone_number_id }) => phone_number_id === chat.phoneNumberId);
  return (
    <header>
      <a class="back" href="#/phone" aria-label="All chats">
        <Icon name="back" />
      </a>
      <span class="avatar" aria-hidden="true">
        {businessName(chat.phoneNumberId, snapshot)[0]?.toUpperCase()}
      </span>
      <div class="title">
        <h1>
          {businessName(chat.phoneNumberId, snapshot)}{' '}
          <small class="dim">{numberName(chat.phoneNumberId, snapshot)}</small>
        </h1>
        <p class="dim">
          You are{' '}
          <bdi>
            {isGroup(chat.contact)
              ? 'in the group'
              : givenName(chat.contact, snapshot) || contactName(chat.contact, snapshot)}
          </bdi>
        </p>
      </div>
      <WindowState chat={chat} snapshot={snapshot} />
      {number?.calling_enabled && !isGroup(chat.contact) && (
        <ActionButton kind="quiet" act={() => call(chat)}>
          <Icon name="call" /> <span class="words">Call</span>
        </ActionButton>
      )}
    </header>
  );
}

/** Counts down. */
class WindowState extends Component<ChatHeaderProps> {
  #timer: ReturnType<typeof setInterval> | undefined;

  override componentDidMount() {
    this.#timer = setInterval(() => this.forceUpdate(), 15_000);
  }

  override componentWillUnmount() {
    clearInterval(this.#timer);
  }

  override render({ chat, snapshot }: ChatHeaderProps) {
    const window = snapshot.windows.get(`${chat.phoneNumberId} ${chat.contact}`);
    const isOpen = window === undefined || window.closes_at > Date.now();
    const freeUntil = window?.free_until ?? 0;
    return (
      <Menu
        class="window"
        sign={
          <span>
            <Icon name="clock" />{' '}
            {isOpen ? (
              <span class="words">{windowText(window?.closes_at)}</span>
            ) : (
              <Badge tone="warn">window closed: templates only</Badge>
            )}
          </span>
        }
      >
        <p class="about">
          A message or a call of the contact opens the window for 24 hours. While it is closed, only templates arrive;
          anything else fails with 131047.
        </p>
        {window === undefined && <p class="about">Here it is open for everybody until you close it once.</p>}
        {freeUntil > Date.now() && (
          <p class="about">Everything is free until {new Date(freeUntil).toLocaleString('en-GB')}.</p>
        )}
        <ActionButton act={() => setWindow(chat, !isOpen)}>{isOpen ? 'Close window' : 'Open window'}</ActionButton>
      </Menu>
    );
  }
}

function windowText(closesAt: number | undefined): string {
  if (closesAt === undefined) return 'window open';
  const minutes = Math.round((closesAt - Date.now()) / 60_000);
  return `window open for ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
