import { simulatedApp, simulatedBusiness } from '../core/app.ts';
import type { SetupFault } from '../core/setup-faults.ts';

type Availability = 'AVAILABLE' | 'LIMITED' | 'BLOCKED';

interface HealthError {
  readonly error_code: number;
  readonly error_description: string;
  readonly possible_solution: string;
}

/** What is wrong with one of the objects that sending involves. */
interface Ailment {
  readonly can_send_message: 'LIMITED' | 'BLOCKED';
  readonly errors?: readonly HealthError[];
  readonly additional_info?: readonly string[];
}

type EntityType = 'PHONE_NUMBER' | 'WABA' | 'BUSINESS';

const blocked = (error_code: number, error_description: string, possible_solution: string): Ailment => ({
  can_send_message: 'BLOCKED',
  errors: [{ error_code, error_description, possible_solution }],
});

const limited = (info: string): Ailment => ({ can_send_message: 'LIMITED', additional_info: [info] });

/**
 * What faults do to the health. The codes 141000, 141006 and 141010 are from payloads of the platform that others have
 * published; Meta's page "Messaging and calling health status" has no table of codes.
 */
const ailments: readonly (readonly [SetupFault, EntityType, Ailment])[] = [
  [
    'number_not_registered',
    'PHONE_NUMBER',
    blocked(
      141000,
      'The phone number is not linked to a WhatsApp account, so it cannot send messages.',
      'Verify the phone number and register it.',
    ),
  ],
  ['number_restricted', 'PHONE_NUMBER', limited('The phone number is restricted. It can only answer contacts.')],
  [
    'display_name_declined',
    'PHONE_NUMBER',
    limited('The display name has not been approved. The messaging limit stays low until it is.'),
  ],
  [
    'account_review_rejected',
    'WABA',
    blocked(131031, 'The account did not pass the review.', 'Appeal the decision in the account quality page.'),
  ],
  [
    'account_restricted',
    'WABA',
    blocked(131031, 'The account is restricted, because it violated a policy.', 'Appeal in the account quality page.'),
  ],
  [
    'payment_missing',
    'WABA',
    blocked(
      141006,
      'There is an error with the payment method. Conversations that the business starts are blocked.',
      'Add a payment method to the account.',
    ),
  ],
  [
    'business_not_verified',
    'BUSINESS',
    {
      ...limited('The business has not passed business verification.'),
      errors: [
        {
          error_code: 141010,
          error_description: 'The business has not passed business verification.',
          possible_solution: 'Complete business verification.',
        },
      ],
    },
  ],
];

/** A number that does not use SIP. Meta's example says BLOCKED for it, although it can send. */
const withoutSip = {
  number: {
    error_code: 138024,
    error_description: 'WhatsApp Business calling cannot use SIP, because it is not enabled.',
    possible_solution: 'Configure SIP with the settings of the phone number.',
  },
  app: {
    error_code: 138025,
    error_description: 'The app has configured no SIP server for this phone number.',
    possible_solution: 'Configure a SIP server with the settings of the phone number.',
  },
} as const;

interface HealthSource {
  readonly wabaId: string;
  /** Absent for the health of an account. */
  readonly number?: { readonly id: string; readonly usesSip: boolean } | undefined;
  readonly faults: readonly SetupFault[];
}

interface Entity {
  readonly entity_type: EntityType | 'APP';
  readonly id: string;
  readonly can_send_message: Availability;
  readonly can_receive_call_sip?: Availability;
  readonly errors?: readonly HealthError[];
  readonly additional_info?: readonly string[];
}

/** Whether messages can be sent, and which object prevents it (Meta's page "Messaging and calling health status"). */
export function healthStatus({ wabaId, number, faults }: HealthSource) {
  const ofType = (entity_type: EntityType, id: string) => entity(entity_type, id, faults);
  const app: Entity = { entity_type: 'APP', id: simulatedApp.id, can_send_message: 'AVAILABLE' };
  const usesSip = number?.usesSip ?? true;
  const entities = [
    ...(number === undefined ? [] : [withSip(ofType('PHONE_NUMBER', number.id), usesSip, withoutSip.number)]),
    ofType('WABA', wabaId),
    ofType('BUSINESS', simulatedBusiness.id),
    withSip(app, usesSip, withoutSip.app),
  ];
  return { can_send_message: overall(entities), entities };
}

function entity(entity_type: EntityType, id: string, faults: readonly SetupFault[]): Entity {
  const own = ailments.filter(([fault, type]) => type === entity_type && faults.includes(fault));
  const [errors, infos] = [
    own.flatMap(([, , ailment]) => ailment.errors ?? []),
    own.flatMap(([, , ailment]) => ailment.additional_info ?? []),
  ];
  return {
    entity_type,
    id,
    can_send_message: worst(own.map(([, , ailment]) => ailment.can_send_message)),
    ...(errors.length > 0 && { errors }),
    ...(infos.length > 0 && { additional_info: infos }),
  };
}

function withSip(entity: Entity, usesSip: boolean, error: HealthError): Entity {
  if (usesSip) return { ...entity, can_receive_call_sip: 'AVAILABLE' };
  return { ...entity, can_receive_call_sip: 'BLOCKED', errors: [...(entity.errors ?? []), error] };
}

function overall(entities: readonly Entity[]): Availability {
  return worst(
    entities.flatMap(({ can_send_message, can_receive_call_sip }) =>
      [can_send_message, can_receive_call_sip ?? []].flat(),
    ),
  );
}

function worst(availabilities: readonly Availability[]): Availability {
  const order = ['BLOCKED', 'LIMITED'] as const;
  return order.find((availability) => availabilities.includes(availability)) ?? 'AVAILABLE';
}
