import { Component, type ComponentChildren } from 'preact';
import { Menu } from '#web/preview/menu.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Time } from '../../parts/text.tsx';
import type { Changes } from './chats.ts';

interface BubbleProps extends Changes {
  readonly side: 'own' | 'other';
  /** Who wrote it, for those who do not see the side. */
  readonly sender: string;
  readonly at: number;
  readonly children: ComponentChildren;
  /** Beside the time: statuses and prices. */
  readonly meta: ComponentChildren;
  /** What the contact can do with the message. */
  readonly acts: ComponentChildren;
  /** Names these, and the message. */
  readonly actsLabel: string;
}

/** The frame of a message, from either side. */
export function Bubble({ side, sender, at, children, meta, acts, actsLabel, ...changes }: BubbleProps) {
  const { reactions, quoted, isPinned, isEdited, isDeleted } = changes;
  return (
    <li class={`bubble ${side}`}>
      <span class="visually-hidden">{sender}: </span>
      {quoted !== undefined && (
        <p class="quote" dir="auto">
          {quoted}
        </p>
      )}
      {isDeleted ? <p class="body dim">This message was deleted.</p> : children}
      <p class="meta">
        {isPinned && <span>pinned</span>} {isEdited && !isDeleted && <span>edited</span>} <Time at={at} isShort />{' '}
        {meta}
      </p>
      {reactions !== '' && (
        <p class="reaction">
          <span class="visually-hidden">Reactions: </span>
          {reactions}
        </p>
      )}
      {!isDeleted && (
        <Menu class="acts" label={actsLabel} sign={<Icon name="more" />}>
          {acts}
        </Menu>
      )}
    </li>
  );
}

/** A part of the page that is drawn again only if its props have changed, as a chat may be long. */
export abstract class DrawnOnChange<P extends object> extends Component<P> {
  override shouldComponentUpdate(next: Readonly<P>): boolean {
    return Object.entries(next).some(([name, value]) => this.props[name as keyof P] !== value);
  }
}

const ticks: Readonly<Record<string, IconName>> = { accepted: 'clock', sent: 'check' };

/** How far a message got, in a sign whose word is read aloud. */
export const Ticks = ({ status }: { status: string }) => (
  <span class="status" data-status={status} title={status}>
    <Icon name={ticks[status] ?? 'checks'} />
    <span class="visually-hidden"> {status}</span>
  </span>
);
