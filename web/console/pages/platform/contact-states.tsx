import { Component } from 'preact';
import type { CallPermission } from '#local/console/console-values.ts';
import { sendJson } from '../../http.ts';
import { ActionSelect } from '../../parts/action-select.tsx';
import { Empty } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { type Chat, chatsOf, keyOf } from '../phone/chats.ts';
import { numberName, personName } from '../phone/names.ts';

const holders = { '': 'this service', ai_agent: "Meta's agent", escalation: 'another app' };

/** Who answers a contact, and whether the contact permits calls. */
export class ContactStates extends Component<{ snapshot: Snapshot }, { chosen?: string | undefined }> {
  override state: { chosen?: string | undefined } = {};

  /** The chat that is shown stays the same when somebody else writes. */
  static override getDerivedStateFromProps({ snapshot }: { snapshot: Snapshot }, { chosen }: { chosen?: string }) {
    const keys = chatsOf(snapshot).map(keyOf);
    return { chosen: keys.find((key) => key === chosen) ?? keys[0] };
  }

  override render({ snapshot }: { snapshot: Snapshot }, { chosen }: typeof this.state) {
    const chats = chatsOf(snapshot);
    const chat = chats.find((one) => keyOf(one) === chosen);
    return (
      <section class="card">
        <h2>Conversation and permission</h2>
        {chat === undefined ? (
          <Empty>
            <a href="#/phone">Write as a contact</a>. Then you can hand over the conversation and change the permission
            to call here.
          </Empty>
        ) : (
          <>
            <label>
              Contact and number
              <select
                value={keyOf(chat)}
                onChange={({ currentTarget }) => this.setState({ chosen: currentTarget.value })}
              >
                {chats.map((one) => (
                  <option key={keyOf(one)} value={keyOf(one)}>
                    {personName(one.contact, snapshot)} · {numberName(one.phoneNumberId, snapshot)}
                  </option>
                ))}
              </select>
            </label>
            <States key={keyOf(chat)} chat={chat} snapshot={snapshot} />
          </>
        )}
      </section>
    );
  }
}

function States({ chat, snapshot }: { chat: Chat; snapshot: Snapshot }) {
  const key = `${chat.phoneNumberId} ${chat.contact}`;
  const permission = snapshot['call-permissions'].get(key);
  const number = snapshot.world.numbers.find(({ phone_number_id }) => phone_number_id === chat.phoneNumberId);
  return (
    <>
      <ActionSelect
        label="Who answers (standby)"
        value={snapshot.conversations.get(key)?.held_by ?? ''}
        options={holders}
        act={(holder) =>
          sendJson('PUT', `/simulator/conversations/${keyOf(chat)}`, { held_by: holder === '' ? null : holder })
        }
      />
      {number?.calling_enabled === true ? (
        <ActionSelect
          label="Permission to call"
          value={stateOf(permission)}
          options={permissionsFrom(permission)}
          act={(state) => permit(chat, state)}
        />
      ) : (
        <p class="dim">The number takes no calls, so there is no permission to call.</p>
      )}
    </>
  );
}

type PermissionState = 'unset' | 'no_permission' | 'temporary' | 'permanent' | 'expired';

const permissionNames = {
  no_permission: 'no',
  temporary: 'for seven days',
  permanent: 'always',
  expired: 'expired',
};

const stateOf = (permission: CallPermission | undefined): PermissionState => {
  if (permission === undefined) return 'unset';
  const { status, expires_at } = permission;
  return expires_at !== null && expires_at <= Date.now() ? 'expired' : status;
};

/** The platform keeps no record of a contact until the business has called them or asked for permission. */
const permissionsFrom = (permission: CallPermission | undefined) =>
  permission === undefined ? { unset: 'for seven days, by default', ...permissionNames } : permissionNames;

/** The service hears of what the contact does, but not that a permission expires. */
function permit({ phoneNumberId, contact }: Chat, state: string): Promise<unknown> {
  const path = `/simulator/call-permissions/${phoneNumberId}/${contact}`;
  if (state === 'expired') {
    const expiration_time = Math.floor(Date.now() / 1000) - 1;
    return sendJson('PUT', path, { status: 'temporary', expiration_time });
  }
  const response = state === 'no_permission' ? 'reject' : 'accept';
  return sendJson('POST', `${path}/reply`, { response, is_permanent: state === 'permanent' });
}
