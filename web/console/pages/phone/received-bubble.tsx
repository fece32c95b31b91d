import type { ReceivedMessage } from '#local/console/console-values.ts';
import { closeMenu } from '#web/preview/menu.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { Bubble, DrawnOnChange, Ticks } from './bubble.tsx';
import type { Changes, ChatKey } from './chats.ts';
import { sendEvent } from './contact-acts.ts';
import { Content } from './message/content.tsx';
import { summaryOf } from './message/summary.ts';

interface ReceivedBubbleProps extends ChatKey, Changes {
  readonly message: ReceivedMessage;
  /** Who wrote it, in a group. */
  readonly author: string | undefined;
  readonly quote: (id: string, text: string) => void;
  readonly edit: (id: string, text: string) => void;
}

/** What the contact wrote. The ticks say whether the business has marked it as read. */
export class ReceivedBubble extends DrawnOnChange<ReceivedBubbleProps> {
  override render({ message, author, quote, edit, phoneNumberId, contact, ...changes }: ReceivedBubbleProps) {
    const { id, type, content, received_at, read, typing } = message;
    const text = summaryOf(type, content);
    const chat = { phoneNumberId, contact };
    const closeAnd = (button: Element, act: typeof quote) => {
      closeMenu(button);
      act(id, text);
    };
    const remove = () => sendEvent(chat, { type: 'revoke', revoke: { original_message_id: id } });
    return (
      <Bubble
        side="own"
        sender={author ?? 'You'}
        at={received_at}
        {...changes}
        meta={
          <>
            {typing && <span>typing…</span>}
            <Ticks status={read ? 'read' : 'sent'} />
          </>
        }
        actsLabel={`Reply, edit or delete: ${text}`}
        acts={
          <>
            <button type="button" onClick={({ currentTarget }) => closeAnd(currentTarget, quote)}>
              Reply
            </button>
            {type === 'text' && (
              <button type="button" onClick={({ currentTarget }) => closeAnd(currentTarget, edit)}>
                Edit
              </button>
            )}
            <ActionButton act={remove}>Delete for everyone</ActionButton>
          </>
        }
      >
        {author !== undefined && (
          <p class="author" aria-hidden="true">
            {author}
          </p>
        )}
        <Content type={type} content={content} />
      </Bubble>
    );
  }
}
