import { accountName, type BusinessAccount } from '../core/accounts.ts';
import { simulatedBusiness } from '../core/app.ts';
import type { SetupFault } from '../core/setup-faults.ts';
import type { FieldReaders } from '../http/node.ts';
import { healthStatus } from './health.ts';

/** What the fields of an account are read from. */
export interface AccountSource {
  readonly id: string;
  readonly account: BusinessAccount;
  readonly faults: readonly SetupFault[];
}

/** The fields of an account when the request names none. */
export const defaultAccountFields = 'id,name,timezone_id,message_template_namespace';

/** The fields of an account (Meta's reference "WhatsApp Business Account"). */
export const accountFields: FieldReaders<AccountSource> = {
  id: ({ id }) => id,
  name: ({ account }) => accountName(account),
  account_review_status: ({ faults }) => (faults.includes('account_review_rejected') ? 'REJECTED' : 'APPROVED'),
  business_verification_status: ({ faults }) =>
    faults.includes('business_not_verified') ? 'not_verified' : 'verified',
  status: ({ faults }) => (faults.includes('account_restricted') ? 'RESTRICTED' : 'ACTIVE'),
  country: () => 'US',
  currency: () => 'USD',
  timezone_id: () => '1',
  message_template_namespace: ({ id }) => `namespace_${id}`,
  ownership_type: () => 'SELF',
  owner_business: () => simulatedBusiness,
  owner_business_info: () => simulatedBusiness,
  primary_funding_id: ({ faults }) => (faults.includes('payment_missing') ? undefined : '800000000000001'),
  health_status: ({ id, faults }) => healthStatus({ wabaId: id, faults }),
};
