import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type BusinessAccount, type BusinessNumber, findNumber } from '../core/accounts.ts';
import { GraphError } from '../core/graph-errors.ts';
import { buildEvent, type Change } from '../events/events.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { missing } from '../http/params.ts';
import { parseCalling } from './calling-schema.ts';
import type { Calling, CallingSettings } from './calling-settings.ts';

export interface SettingsRoutesOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly callingSettings: CallingSettings;
  /** Derives the passwords of SIP from it. */
  readonly appSecret: string;
  readonly announce: (change: Change) => void;
  readonly now: () => number;
}

/** Graph's operations on the settings of phone numbers (Meta's page "Configure Call Settings"). */
export function settingsRoutes(options: SettingsRoutesOptions): GraphRoute[] {
  const { accounts, callingSettings, appSecret, announce, now } = options;
  return [
    { operation: 'get_settings', method: 'GET', edge: 'settings', handle: read },
    { operation: 'update_settings', method: 'POST', edge: 'settings', handle: change },
  ];

  function read({ id, url }: GraphRequest) {
    const calling = callingSettings.of(id);
    const wantsPasswords = url.searchParams.get('include_sip_credentials') === 'true';
    return {
      calling: wantsPasswords ? withPasswords(id, calling) : calling,
      storage_configuration: { status: 'DEFAULT' },
    };
  }

  function change({ id, params }: GraphRequest) {
    const number = findNumber(accounts, id);
    if (number === undefined) throw new GraphError('object_missing');
    if (!params.has('calling')) throw missing('calling');
    const old = callingSettings.of(id);
    const changed = callingSettings.change(id, parseCalling(params.get('calling')));
    tell(number, announced(old), announced(changed));
    return { success: true };
  }

  function tell(number: BusinessNumber, old: object, calling: object): void {
    if (isDeepStrictEqual(old, calling)) return;
    const phone_number_settings = { phone_number_id: number.phoneNumberId, calling };
    announce(buildEvent({ type: 'account_settings_update', phone_number_settings }, number, now()));
  }

  /** Graph has a password of its own for each phone number and app. */
  function withPasswords(id: string, { sip, ...calling }: Calling) {
    const sip_user_password = createHmac('sha256', appSecret).update(id).digest('base64url');
    return { ...calling, sip: { ...sip, servers: sip.servers?.map((server) => ({ ...server, sip_user_password })) } };
  }
}

/** The members whose changes Graph announces. */
function announced(calling: Calling): object {
  const { status, call_icon_visibility, callback_permission_status, sip, srtp_key_exchange_protocol } = calling;
  const sipStatus = { status: sip.status };
  return { status, call_icon_visibility, callback_permission_status, sip: sipStatus, srtp_key_exchange_protocol };
}
