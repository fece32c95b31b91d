import { simulatedApp, simulatedBusiness } from '../core/accounts.ts';
import type { SetupFault } from '../core/setup-faults.ts';

interface HealthError {
  readonly error_code: number;
  readonly error_description: string;
  readonly possible_solution: string;
}

/** What is wrong with one of the objects that sending involves. */
interface Ailment {
  readonly fault: SetupFault;
  readonly of: 'PHONE_NUMBER' | 'WABA' | 'BUSINESS';
  readonly can_send_message: 'LIMITED' | 'BLOCKED';
  readonly says: string;
  /** Absent if there is only additional information. */
  readonly error?: { readonly code: number; readonly solution: string };
}

/**
 * What faults do to the health. The codes 141000, 141006 and 141010 are from payloads of the platform that others have
 * published; Meta's page "Messaging and calling health status" has no table of codes.
 */
const ailments: readonly Ailment[] = [
  {
    fault: 'number_not_registered',
    of: 'PHONE_NUMBER',
    can_send_message: 'BLOCKED',
    says: 'The phone number is not linked to a WhatsApp account, so it cannot send messages.',
    error: { code: 141000, solution: 'Verify the phone number and register it.' },
  },
  {
    fault: 'number_restricted',
    of: 'PHONE_NUMBER',
    can_send_message: 'LIMITED',
    says: 'The phone number is restricted. It can only answer contacts.',
  },
  {
    fault: 'display_name_declined',
    of: 'PHONE_NUMBER',
    can_send_message: 'LIMITED',
    says: 'The display name has not been approved. The messaging limit stays low until it is.',
  },
  {
    fault: 'account_review_rejected',
    of: 'WABA',
    can_send_message: 'BLOCKED',
    says: 'The account did not pass the review.',
    error: { code: 131031, solution: 'Appeal the decision in the account quality page.' },
  },
  {
    fault: 'account_restricted',
    of: 'WABA',
    can_send_message: 'BLOCKED',
    says: 'The account is restricted, because it violated a policy.',
    error: { code: 131031, solution: 'Appeal in the account quality page.' },
  },
  {
    fault: 'payment_missing',
    of: 'WABA',
    can_send_message: 'BLOCKED',
    says: 'There is an error with the payment method. Conversations that the business starts are blocked.',
    error: { code: 141006, solution: 'Add a payment method to the account.' },
  },
  {
    fault: 'business_not_verified',
    of: 'BUSINESS',
    can_send_message: 'LIMITED',
    says: 'The business has not passed business verification.',
    error: { code: 141010, solution: 'Complete business verification.' },
  },
];

/** A number that does not use SIP. Meta's example says BLOCKED for it, although it can send. */
const withoutSip: HealthError = {
  error_code: 138024,
  error_description: 'WhatsApp Business calling cannot use SIP, because it is not enabled.',
  possible_solution: 'Configure SIP with the settings of the phone number.',
};

interface HealthSource {
  readonly wabaId: string;
  /** Absent for the health of an account. */
  readonly number?: { readonly id: string; readonly usesSip: boolean } | undefined;
  readonly faults: readonly SetupFault[];
}

/** Whether messages can be sent, and which object prevents it (Meta's page "Messaging and calling health status"). */
export function healthStatus({ wabaId, number, faults }: HealthSource) {
  const entity = (entity_type: Ailment['of'], id: string) => {
    const own = ailments.filter(({ fault, of }) => of === entity_type && faults.includes(fault));
    const errors = own.flatMap(({ says, error }) =>
      error ? [{ error_code: error.code, error_description: says, possible_solution: error.solution }] : [],
    );
    const infos = own.filter(({ can_send_message }) => can_send_message === 'LIMITED').map(({ says }) => says);
    return {
      entity_type,
      id,
      can_send_message: worst(own.map(({ can_send_message }) => can_send_message)),
      ...(errors.length > 0 && { errors }),
      ...(infos.length > 0 && { additional_info: infos }),
    };
  };
  const entities = [
    ...(number === undefined ? [] : [withSip(entity('PHONE_NUMBER', number.id), number.usesSip)]),
    entity('WABA', wabaId),
    entity('BUSINESS', simulatedBusiness.id),
    { entity_type: 'APP', id: simulatedApp.id, can_send_message: 'AVAILABLE' },
  ];
  const isBlockedForSip = number?.usesSip === false;
  return {
    can_send_message: worst([
      ...entities.map(({ can_send_message }) => can_send_message),
      ...(isBlockedForSip ? ['BLOCKED'] : []),
    ]),
    entities,
  };
}

function withSip<Entity extends { readonly errors?: readonly HealthError[] }>(entity: Entity, usesSip: boolean) {
  if (usesSip) return { ...entity, can_receive_call_sip: 'AVAILABLE' };
  return { ...entity, can_receive_call_sip: 'BLOCKED', errors: [...(entity.errors ?? []), withoutSip] };
}

function worst(availabilities: readonly string[]): string {
  return ['BLOCKED', 'LIMITED'].find((availability) => availabilities.includes(availability)) ?? 'AVAILABLE';
}
