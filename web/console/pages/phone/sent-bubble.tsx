import type { SentMessage } from '#local/graph/messages/message.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { type Chat, summaryOf } from './chats.ts';
import { mark, sendEvent } from './contact-acts.ts';
import { Content } from './content.tsx';
import { Taps } from './taps.tsx';

interface SentBubbleProps {
  readonly message: SentMessage;
  readonly chat: Chat;
  readonly snapshot: Snapshot;
  readonly quote: (text: string, id: string) => void;
}

const emojis = ['👍', '❤️', '😂', '😮', '🙏'];

/** What the business sent: its content, what can be tapped, its price, its statuses, and how the contact reacts. */
export function SentBubble({ message, chat, snapshot, quote }: SentBubbleProps) {
  const { id, type, content, sent_at, statuses } = message;
  const { sent: _, received: reaction } = chat.reactions.get(id) ?? {};
  const last = statuses.at(-1);
  return (
    <li class="bubble other">
      <Content type={type} content={content} />
      <Taps message={message} chat={chat} snapshot={snapshot} />
      <p class="meta dim">
        <Time at={sent_at} />{' '}
        <Badge tone={last?.status === 'failed' ? 'bad' : 'plain'}>{last?.status ?? 'accepted'}</Badge>
        {last?.code !== undefined && ` ${last.code}`} <Price message={message} />
      </p>
      {reaction !== undefined && reaction !== '' && <span class="reaction">{reaction}</span>}
      <details class="acts">
        <summary aria-label="Reply, react or mark">⋯</summary>
        <div class="row">
          <button
            type="button"
            class="quiet"
            onClick={() => quote(summaryOf({ kind: 'sent', at: sent_at, message }), id)}
          >
            Reply
          </button>
          {emojis.map((emoji) => (
            <ActionButton
              kind="quiet"
              act={() => sendEvent(chat, { type: 'reaction', reaction: { message_id: id, emoji } })}
            >
              {emoji}
            </ActionButton>
          ))}
        </div>
        <div class="row">
          {(['delivered', 'read', 'failed'] as const).map((status) => (
            <ActionButton kind="quiet" act={() => mark(id, status)}>
              Mark as {status}
            </ActionButton>
          ))}
        </div>
      </details>
    </li>
  );
}

/** The category that the platform bills the message as, once a status has told it. */
function Price({ message: { bill } }: { message: SentMessage }) {
  if (bill === null) return undefined;
  const { category, billable } = bill.pricing;
  return (
    <Badge tone={billable ? 'warn' : 'plain'}>
      {category}, {billable ? 'billed' : 'free'}
    </Badge>
  );
}
