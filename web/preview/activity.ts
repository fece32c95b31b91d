/** Something that happened in the Flow, for the list beside the phone. */
export interface Activity {
  readonly at: Date;
  /** Such as `data_exchange` or `navigate`. */
  readonly name: string;
  readonly screen?: string | undefined;
  readonly request?: unknown;
  readonly answer?: unknown;
  readonly status?: number | undefined;
  readonly durationMs?: number;
  /** What is wrong with it, in words. */
  readonly problems?: readonly string[];
}
