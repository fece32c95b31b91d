import { Component, type TargetedSubmitEvent } from 'preact';
import { sendJson } from '../../http.ts';
import { Empty, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { type Chat, keyOf, summaryOf } from './chats.ts';
import { contactName, numberName } from './names.ts';

interface ChatListProps {
  readonly chats: readonly Chat[];
  readonly snapshot: Snapshot;
  readonly open: Chat | undefined;
}

/** All chats, and a form that starts one. */
export class ChatList extends Component<ChatListProps, { fault?: string | undefined }> {
  override state: { fault?: string | undefined } = {};

  readonly #start = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [number, who] = [String(form.get('number')), String(form.get('who')).trim()];
    try {
      location.hash = `#/phone/${number}/${await contactOf(who)}`;
      this.setState({ fault: undefined });
    } catch (error) {
      this.setState({ fault: error instanceof Error ? error.message : String(error) });
    }
  };

  override render({ chats, snapshot, open }: ChatListProps, { fault }: typeof this.state) {
    return (
      <section class="chats" aria-label="Chats">
        <form onSubmit={this.#start}>
          <label>
            Number
            <select name="number">
              {snapshot.world.numbers.map(({ phone_number_id, display_phone_number }) => (
                <option value={phone_number_id}>{display_phone_number}</option>
              ))}
            </select>
          </label>
          <label>
            Contact: a phone number or a @username
            <input name="who" required value="5511988887777" autocomplete="off" />
          </label>
          <button type="submit">Start a chat</button>
          {fault !== undefined && (
            <p class="fault" role="alert">
              {fault}
            </p>
          )}
        </form>
        {chats.length === 0 && <Empty>Nobody has written yet.</Empty>}
        <ul>
          {chats.map((chat) => {
            const last = chat.entries.at(-1);
            return (
              <li key={keyOf(chat)}>
                <a
                  href={`#/phone/${keyOf(chat)}`}
                  aria-current={open && keyOf(open) === keyOf(chat) ? 'true' : undefined}
                >
                  <b>{numberName(chat.phoneNumberId, snapshot)}</b>
                  <span class="dim">{last && <Time at={last.at} />}</span>
                  <span class="who">as {contactName(chat.contact, snapshot)}</span>
                  <span class="last dim">{summaryOf(last)}</span>
                </a>
              </li>
            );
          })}
        </ul>
      </section>
    );
  }
}

/** The simulator's id of the person. Somebody with a username shows no phone number. */
async function contactOf(who: string): Promise<string> {
  if (!who.startsWith('@')) {
    const digits = who.replace(/[\s()+-]/g, '');
    if (/^\d{7,15}$/.test(digits)) return digits;
    throw new Error('A phone number has 7 to 15 digits. A username begins with @.');
  }
  const username = who.slice(1);
  const id = `US.${[...username].map((letter) => letter.charCodeAt(0)).join('')}`;
  await sendJson('PUT', `/simulator/contacts/${id}`, { name: username, username, wa_id: null, user_id: id });
  return id;
}
