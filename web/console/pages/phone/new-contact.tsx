import { Component, type TargetedSubmitEvent } from 'preact';
import { messageOf, sendJson } from '../../http.ts';
import type { Snapshot } from '../../snapshot.ts';
import { keyOf } from './chats.ts';

interface NewContactState {
  kind: 'phone' | 'username';
  fault?: string | undefined;
}

/** A form that makes a contact of either kind and opens the chat with a number. */
export class NewContact extends Component<{ world: Snapshot['world'] }, NewContactState> {
  override state: NewContactState = { kind: 'phone' };

  readonly #start = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fieldText = (name: string) => String(new FormData(form).get(name) ?? '').trim();
    try {
      const contact = await contactOf(this.state.kind, fieldText('who'), fieldText('name'));
      location.hash = `#/phone/${keyOf({ phoneNumberId: fieldText('number'), contact })}`;
      this.setState({ fault: undefined });
      form.closest('details')?.removeAttribute('open');
    } catch (error) {
      this.setState({ fault: messageOf(error) });
    }
  };

  override render({ world }: { world: Snapshot['world'] }, { kind, fault }: NewContactState) {
    const isPhone = kind === 'phone';
    return (
      <form onSubmit={this.#start}>
        <fieldset class="choose">
          <legend class="visually-hidden">The contact has</legend>
          <label class="choice">
            <input type="radio" name="kind" checked={isPhone} onChange={() => this.setState({ kind: 'phone' })} />
            has a phone number
          </label>
          <label class="choice">
            <input type="radio" name="kind" checked={!isPhone} onChange={() => this.setState({ kind: 'username' })} />
            has only a username
          </label>
        </fieldset>
        <label>
          {isPhone ? 'Phone number' : 'Username'}
          <input
            key={kind}
            name="who"
            required
            defaultValue={isPhone ? '+55 11 98888-7777' : '@maria.silva'}
            autocomplete="off"
          />
        </label>
        <label>
          Name
          <input name="name" placeholder="Sample Customer" autocomplete="off" />
        </label>
        <label>
          Writes to
          <select name="number">
            {world.numbers.map(({ phone_number_id, display_phone_number }) => (
              <option value={phone_number_id}>{display_phone_number}</option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary">
          Open the chat
        </button>
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
      </form>
    );
  }
}

/** Makes the person known to the simulated platform. Returns its id of the person. */
async function contactOf(kind: NewContactState['kind'], who: string, name: string): Promise<string> {
  if (kind === 'phone') {
    const digits = who.replace(/[\s()+.-]/g, '');
    if (!/^\d{7,15}$/.test(digits)) throw new Error('A phone number has 7 to 15 digits, with the country code.');
    if (name !== '') await describe(digits, { name });
    return digits;
  }
  const username = who.replace(/^@/, '');
  if (!/^[a-z0-9._]{3,35}$/i.test(username)) {
    throw new Error('A username has 3 to 35 letters, digits, dots and underscores.');
  }
  const id = `US.${[...username].map((letter) => letter.charCodeAt(0)).join('')}`;
  await describe(id, { name: name || username, username, wa_id: null, user_id: id });
  return id;
}

const describe = (id: string, person: object) => sendJson('PUT', `/simulator/contacts/${id}`, person);
