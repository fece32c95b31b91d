import type { SentMessage } from '#local/graph/messages/message.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import type { Snapshot } from '../../snapshot.ts';
import type { Chat } from './chats.ts';
import { answerPermission, replyTo, sendEvent, shareContact } from './contact-acts.ts';
import { numberName } from './names.ts';

interface TapsProps {
  readonly message: SentMessage;
  readonly chat: Chat;
  readonly snapshot: Snapshot;
}

interface Tap {
  readonly label: string;
  readonly act: () => Promise<unknown>;
}

type Members = Readonly<Record<string, unknown>>;

const members = (value: unknown) => Object(value) as Members;
const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** What the contact can tap on a message of the business. */
export function Taps(props: TapsProps) {
  const taps = tapsOf(props);
  if (taps.length === 0) return undefined;
  return (
    <div class="taps">
      {taps.map(({ label, act }) => (
        <ActionButton act={act}>{label}</ActionButton>
      ))}
    </div>
  );
}

function tapsOf({ message, chat, snapshot }: TapsProps): Tap[] {
  const context = replyTo(message.id, numberName(chat.phoneNumberId, snapshot));
  const choose = (type: string, chosen: Members) => () =>
    sendEvent(chat, { type, ...context, interactive: { type, [type]: chosen } });
  const content = members(message.content);
  const action = members(content.action);
  if (message.type === 'template') return quickReplies(content, chat, context);
  switch (content.type) {
    case 'button':
      return listOf(action.buttons).map(({ reply }) => {
        const { id, title } = members(reply);
        return { label: textOf(title), act: choose('button_reply', { id, title }) };
      });
    case 'list':
      return listOf(action.sections)
        .flatMap(({ rows }) => listOf(rows))
        .map((row) => ({ label: textOf(row.title), act: choose('list_reply', row) }));
    case 'location_request_message':
      return [{ label: 'Send location', act: () => sendEvent(chat, { type: 'location', ...context }) }];
    case 'request_contact_info':
      return [{ label: 'Share phone number', act: () => shareContact(message.id) }];
    case 'call_permission_request':
      return [
        { label: 'Allow calls', act: () => answerPermission(chat, 'accept') },
        { label: 'Do not allow', act: () => answerPermission(chat, 'reject') },
      ];
    case 'flow':
      return [
        {
          label: textOf(members(action.parameters).flow_cta) || 'Open',
          act: async () => {
            location.hash = `#/phone/${chat.phoneNumberId}/${chat.contact}/${encodeURIComponent(message.id)}`;
          },
        },
      ];
    default:
      return [];
  }
}

/** The quick replies of a template that have a payload of their own. */
function quickReplies(content: Members, chat: Chat, context: object): Tap[] {
  return listOf(content.components)
    .filter(({ type, sub_type }) => type === 'button' && sub_type === 'quick_reply')
    .map(({ parameters, index }) => {
      const payload = textOf(listOf(parameters)[0]?.payload);
      const text = payload || `Button ${String(index)}`;
      return { label: text, act: () => sendEvent(chat, { type: 'button', ...context, button: { payload, text } }) };
    });
}
