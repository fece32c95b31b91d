/** Something that happened in the Flow, for the list beside the phone. */
export interface Activity {
  readonly at: Date;
  /** The kind of activity, such as `data_exchange` or `navigate`. */
  readonly name: string;
  readonly screen?: string | undefined;
  readonly request?: unknown;
  readonly answer?: unknown;
  readonly status?: number | undefined;
  readonly durationMs?: number;
  /** An explanation of what is wrong with it. */
  readonly problems?: readonly string[];
}
