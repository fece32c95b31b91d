import type { SentMessage, Template } from '#local/console/console-values.ts';
import { closeMenu } from '#web/preview/menu.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { Time } from '../../parts/text.tsx';
import { Bubble, DrawnOnChange, Ticks } from './bubble.tsx';
import type { Changes, ChatKey } from './chats.ts';
import { mark, markFailed, sendEvent } from './contact-acts.ts';
import { Content, Unknown } from './message/content.tsx';
import { members, textOf } from './message/read-content.ts';
import { shownInteractive } from './message/shown.ts';
import { summaryOf } from './message/summary.ts';
import { shownTemplate } from './message/template.ts';
import { ShownMessage } from './shown-message.tsx';

interface SentBubbleProps extends ChatKey, Changes {
  readonly message: SentMessage;
  readonly templates: ReadonlyMap<string, Template>;
  /** The number that sent it. */
  readonly from: string;
  /** The name of the business. */
  readonly business: string;
  readonly quote: (id: string, text: string) => void;
}

/** What the business sent: its content, what can be tapped, its price, its statuses, and how the contact reacts. */
export class SentBubble extends DrawnOnChange<SentBubbleProps> {
  override render({ message, templates, from, business, quote, phoneNumberId, contact, ...changes }: SentBubbleProps) {
    const { id, type, content, sent_at } = message;
    const chat = { phoneNumberId, contact };
    const summary = summaryOf(type, content);
    const { status, code } = lastStatus(message);
    const failure = `failed${code == null ? '' : `: ${code}, ${failureWords(code)}`}`;
    return (
      <Bubble
        side="other"
        sender={business}
        at={sent_at}
        {...changes}
        meta={status === 'failed' ? <span class="fault">{failure}</span> : <Ticks status={status} />}
        acts={<Acts chat={chat} message={message} reply={() => quote(id, summary)} />}
        actsLabel={`Reply, react or mark: ${summary}`}
      >
        <SentContent message={message} templates={templates} place={{ chat, message: id, from }} />
      </Bubble>
    );
  }
}

function SentContent({
  message: { type, content },
  templates,
  place,
}: Pick<SentBubbleProps, 'message' | 'templates'> & { place: Parameters<typeof ShownMessage>[0]['place'] }) {
  if (type === 'template') return <ShownMessage shown={shownTemplate(members(content), templates)} place={place} />;
  if (type !== 'interactive') return <Content type={type} content={content} />;
  const shown = shownInteractive(members(content));
  if (shown !== undefined) return <ShownMessage shown={shown} place={place} />;
  return <Unknown type={`interactive, ${textOf(members(content).type)}`} content={content} />;
}

/** Error codes for undelivered messages, with what each one means (from Meta's page "Error codes"). */
const failures: readonly (readonly [code: number, words: string])[] = [
  [131026, 'cannot be delivered to this person'],
  [131047, 'the window of 24 hours is closed'],
  [131049, 'the person gets too much marketing'],
  [131050, 'the person has opted out of marketing'],
  [131053, 'the file could not be processed'],
  [131042, 'the business has not paid'],
  [130472, 'the person is part of an experiment'],
];

const failureWords = (code: number): string => failures.find(([one]) => one === code)?.[1] ?? 'failed';

const lastStatus = ({ statuses }: SentMessage) => statuses.at(-1) ?? { status: 'accepted', code: undefined };

const emojis = ['👍', '❤️', '😂', '😮', '🙏'];

interface ActsProps {
  readonly chat: ChatKey;
  readonly message: SentMessage;
  readonly reply: () => void;
}

function Acts({ chat, message, reply }: ActsProps) {
  const { id, type, sent_at, bill } = message;
  const react = (emoji: string) => sendEvent(chat, { type: 'reaction', reaction: { message_id: id, emoji } });
  return (
    <>
      <div class="emojis">
        {emojis.map((emoji) => (
          <ActionButton act={() => react(emoji)}>{emoji}</ActionButton>
        ))}
      </div>
      <button
        type="button"
        onClick={({ currentTarget }) => {
          closeMenu(currentTarget);
          reply();
        }}
      >
        Reply
      </button>
      <ActionButton act={() => react('')}>Remove reaction</ActionButton>
      {(['delivered', 'read', ...(type === 'audio' ? (['played'] as const) : [])] as const).map((status) => (
        <ActionButton act={() => mark(id, status)}>Mark as {status}</ActionButton>
      ))}
      <details>
        <summary>Let it fail …</summary>
        {failures.map(([code, words]) => (
          <ActionButton act={() => markFailed(id, code)}>
            {words} <small class="dim">{code}</small>
          </ActionButton>
        ))}
      </details>
      <p class="what-became dim">
        {lastStatus(message).status} · <Time at={sent_at} />
        {bill?.pricing &&
          ` · ${bill.pricing.category.replaceAll('_', ' ')}, ${bill.pricing.billable ? 'billed' : 'free'}`}
      </p>
    </>
  );
}
