/** What can be wrong with the set-up. The page about the simulated platform says what Graph then says. */
export const setupFaults = [
  'token_invalid',
  'token_expires_soon',
  'token_expired',
  'permission_missing',
  'management_permission_missing',
  'token_of_other_app',
  'token_without_account',
  'app_secret_wrong',
  'app_not_subscribed',
  'messages_field_missing',
  'calls_field_missing',
  'flows_field_missing',
  'app_callback_missing',
  'app_callback_elsewhere',
  'account_callback_elsewhere',
  'number_callback_elsewhere',
  'number_not_registered',
  'number_not_verified',
  'number_restricted',
  'number_flagged',
  'quality_red',
  'quality_yellow',
  'limit_nearly_reached',
  'display_name_declined',
  'account_review_rejected',
  'business_not_verified',
  'payment_missing',
  'account_restricted',
  'calling_off',
  'sip_on',
  'calls_restricted',
  'key_missing',
  'key_mismatch',
  'other_key',
  'flow_endpoint_unavailable',
  'flow_endpoint_slow',
  'flow_throttled',
  'flow_blocked',
  'flow_version_expired',
  'clock_off',
  'graph_unreachable',
  'rate_limited',
] as const;

export type SetupFault = (typeof setupFaults)[number];

/** Which faults are switched on. They concern every account and number, and end with the process. */
export class SetupFaults {
  #on: ReadonlySet<SetupFault> = new Set();

  get all(): SetupFault[] {
    return setupFaults.filter((fault) => this.#on.has(fault));
  }

  has(fault: SetupFault): boolean {
    return this.#on.has(fault);
  }

  set(faults: readonly SetupFault[]): void {
    this.#on = new Set(faults);
  }

  /** Graph has put these right, as it would on the real platform. */
  lift(...faults: readonly SetupFault[]): void {
    this.#on = new Set(this.all.filter((fault) => !faults.includes(fault)));
  }
}
