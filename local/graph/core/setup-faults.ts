import * as z from 'zod/mini';
import { type ControlRoute, get, on } from '../http/control-route.ts';

/** What can be wrong with the set-up, by what it concerns. */
const groups = {
  'Access token': {
    token_invalid: 'The token was revoked.',
    token_expires_soon: 'The token expires in three days.',
    token_expired: 'The token expired yesterday.',
    permission_missing: 'The token may not send messages.',
    management_permission_missing: 'The token may not manage accounts, numbers and Flows.',
    token_of_other_app: 'The token belongs to another app.',
    token_without_account: 'The token is for another business account.',
  },
  'App and its events': {
    app_secret_wrong: 'The service has a wrong app secret.',
    app_not_subscribed: 'The app is not subscribed to the business account.',
    messages_field_missing: 'The app does not get the field messages.',
    calls_field_missing: 'The app does not get the field calls.',
    flows_field_missing: 'The app does not get the field flows.',
    app_callback_missing: 'The app has no callback URL.',
    app_callback_elsewhere: 'The callback URL of the app is that of another server.',
    account_callback_elsewhere: 'The business account sends its events to another server.',
    number_callback_elsewhere: 'The numbers send their events to another server.',
  },
  Numbers: {
    number_not_registered: 'The numbers are not registered.',
    number_not_verified: 'The numbers are not verified.',
    number_restricted: 'The numbers may only answer contacts.',
    number_flagged: 'The numbers are flagged for low quality.',
    quality_red: 'The quality of the numbers is low.',
    quality_yellow: 'The quality of the numbers is medium.',
    limit_nearly_reached: 'The app has used 92% of its requests.',
    display_name_declined: 'The display name was declined.',
  },
  'Business account': {
    account_review_rejected: 'The account did not pass the review.',
    business_not_verified: 'The business is not verified.',
    payment_missing: 'The account has no payment method.',
    account_restricted: 'The account violated a policy and may not send.',
  },
  Calls: {
    calling_off: 'Calling is switched off for the numbers.',
    sip_on: 'Calls go to a SIP server.',
    calls_restricted: 'The numbers may not call contacts.',
  },
  Flows: {
    key_missing: 'The numbers have no public key.',
    key_mismatch: 'The signature of the public key is wrong.',
    other_key: 'The numbers have a public key that the service does not know.',
    flow_endpoint_unavailable: 'The endpoints of Flows do not respond.',
    flow_endpoint_slow: 'The endpoints of Flows are slow.',
    flow_throttled: 'Published Flows are throttled.',
    flow_blocked: 'Published Flows are blocked.',
    flow_version_expired: 'The version of Flow JSON has expired.',
  },
  Connection: {
    clock_off: 'The clock of the platform is ten minutes ahead.',
    graph_unreachable: 'The platform closes every connection.',
    rate_limited: 'The platform rejects every request, because there were too many.',
  },
} as const;

type Groups = typeof groups;

export type SetupFault = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

/** A fault that can be switched on. */
export interface AvailableFault {
  readonly name: SetupFault;
  /** What it concerns, for example `Access token`. */
  readonly group: string;
  readonly description: string;
}

export const availableFaults: readonly AvailableFault[] = Object.entries(groups).flatMap(([group, faults]) =>
  Object.entries(faults).map(([name, description]) => ({ name: name as SetupFault, group, description })),
);

export const setupFaults: readonly SetupFault[] = availableFaults.map(({ name }) => name);

/** Which faults are switched on. They concern every account and number, and end with the process. */
export class SetupFaults {
  readonly #onChange: (on: readonly SetupFault[]) => void;
  #on: ReadonlySet<SetupFault> = new Set();

  constructor(onChange: (on: readonly SetupFault[]) => void = () => undefined) {
    this.#onChange = onChange;
  }

  get all(): SetupFault[] {
    return setupFaults.filter((fault) => this.#on.has(fault));
  }

  has(fault: SetupFault): boolean {
    return this.#on.has(fault);
  }

  set(faults: readonly SetupFault[]): void {
    this.#on = new Set(faults);
    this.#onChange(this.all);
  }

  /** Graph has put these right, as it would on the real platform. */
  lift(...faults: readonly SetupFault[]): void {
    if (faults.some((fault) => this.has(fault))) this.set(this.all.filter((fault) => !faults.includes(fault)));
  }
}

const faultsSchema = z.strictObject({ faults: z.array(z.enum(setupFaults)) });

/** Switches the faults of the set-up on and off. */
export function setupControl(faults: SetupFaults): ControlRoute[] {
  const path = '/setup/faults';
  return [
    get(path, () => ({ faults: faults.all, available: availableFaults })),
    on('PUT', path, faultsSchema, (body) => {
      faults.set(body.faults);
      return { faults: faults.all };
    }),
  ];
}
