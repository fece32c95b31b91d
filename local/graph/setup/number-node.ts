import { accountName, type BusinessAccount, type BusinessNumber } from '../core/accounts.ts';
import type { SetupFault } from '../core/setup-faults.ts';
import { type FieldReaders, graphTime } from '../http/node.ts';
import { healthStatus } from './health.ts';
import type { NumberState } from './number-setup.ts';

/** What the fields of a number are read from. */
export interface NumberSource {
  readonly id: string;
  readonly account: BusinessAccount;
  readonly number: BusinessNumber;
  readonly state: NumberState;
  readonly usesSip: boolean;
  readonly callbacks: { readonly application: string | undefined; readonly account: string | null };
  readonly faults: readonly SetupFault[];
}

/** The fields of a number when the request names none. */
export const defaultNumberFields =
  'verified_name,code_verification_status,display_phone_number,quality_rating,platform_type,throughput,webhook_configuration,id';

const onboardedAt = Date.parse('2026-01-01T00:00:00Z');

/** The first fault that is switched on decides. */
function firstOf(
  faults: readonly SetupFault[],
  values: Partial<Record<SetupFault, string>>,
  otherwise: string,
): string {
  return Object.entries(values).find(([fault]) => faults.includes(fault as SetupFault))?.[1] ?? otherwise;
}

const qualityOf = ({ faults }: NumberSource) =>
  firstOf(faults, { quality_red: 'RED', quality_yellow: 'YELLOW' }, 'GREEN');

/** The fields of a number (Meta's reference "WhatsApp Business Phone Number"). */
export const numberFields: FieldReaders<NumberSource> = {
  id: ({ id }) => id,
  display_phone_number: ({ number }) => number.displayPhoneNumber,
  verified_name: ({ account }) => accountName(account),
  status: ({ state, faults }) =>
    state.registered
      ? firstOf(faults, { number_restricted: 'RESTRICTED', number_flagged: 'FLAGGED' }, 'CONNECTED')
      : 'DISCONNECTED',
  quality_rating: qualityOf,
  quality_score: (source) => ({ score: qualityOf(source) }),
  code_verification_status: ({ faults }) => firstOf(faults, { number_not_verified: 'NOT_VERIFIED' }, 'VERIFIED'),
  name_status: ({ faults }) => firstOf(faults, { display_name_declined: 'DECLINED' }, 'APPROVED'),
  platform_type: ({ state }) => (state.registered ? 'CLOUD_API' : 'NOT_APPLICABLE'),
  throughput: ({ state }) => ({ level: state.registered ? 'STANDARD' : 'NOT_APPLICABLE' }),
  messaging_limit_tier: () => 'TIER_2K',
  whatsapp_business_manager_messaging_limit: () => 'TIER_2K',
  account_mode: () => 'LIVE',
  is_official_business_account: () => false,
  is_on_biz_app: () => false,
  is_pin_enabled: ({ state }) => state.pin !== null,
  last_onboarded_time: () => graphTime(onboardedAt),
  webhook_configuration: ({ state, callbacks }) => ({
    ...(state.override !== null && { phone_number: state.override }),
    ...(callbacks.account !== null && { whatsapp_business_account: callbacks.account }),
    ...(callbacks.application !== undefined && { application: callbacks.application }),
  }),
  health_status: ({ id, number, state, usesSip, faults }) =>
    healthStatus({
      wabaId: number.wabaId,
      number: { id, usesSip },
      faults: state.registered ? faults : [...faults, 'number_not_registered'],
    }),
};
