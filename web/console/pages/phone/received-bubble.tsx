import type { ReceivedMessage } from '#local/graph/messages/inbox.ts';
import { Time } from '../../parts/text.tsx';
import type { Chat } from './chats.ts';
import { Content } from './content.tsx';

/** What the contact wrote. The ticks say whether the business has marked it as read. */
export function ReceivedBubble({ message, chat }: { message: ReceivedMessage; chat: Chat }) {
  const { type, content, received_at, read, typing } = message;
  const reaction = chat.reactions.get(message.id)?.sent;
  return (
    <li class="bubble own">
      <Content type={type} content={content} />
      <p class="meta dim">
        <Time at={received_at} /> {read ? 'read' : 'sent'}
        {typing && ' · typing…'}
      </p>
      {reaction !== undefined && reaction !== '' && <span class="reaction">{reaction}</span>}
    </li>
  );
}
