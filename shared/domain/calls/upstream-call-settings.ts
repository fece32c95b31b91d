/** The calling settings of a number, in the upstream's form. */
export type CallSettings = Readonly<Record<string, unknown>>;

/** The calling settings of phone numbers. Every method throws `UpstreamError` when it fails. */
export interface UpstreamCallSettings {
  read(phoneNumberId: string): Promise<CallSettings>;
  /** Changes the members that are there. */
  change(phoneNumberId: string, settings: CallSettings): Promise<void>;
}
