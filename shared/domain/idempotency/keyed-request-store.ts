import type { Lease } from '../lease.ts';

/** A response as it is kept for replay. */
export interface KeptResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Absent if the response has none. */
  body?: string;
}

/** What is known about the requests with one `Idempotency-Key`. */
export interface KeyedRequest {
  /** The hash of their body. */
  body: string;
  /** The number or the workspace that their path names, so that an erasure knows where the response belongs. */
  subscriber?: string | undefined;
  /** That of the latest run. */
  lease: Lease;
  /** The runs before that one. */
  earlier: readonly string[];
  /** The final response, once there is one. */
  response?: KeptResponse;
  /** When the key is free again (epoch milliseconds). */
  expires_at: number;
}

/** Stores what is known about keys. Only the latest run of a key may write after its claim. */
export interface KeyedRequestStore {
  /** Claims the key if it is free. Resolves with what is stored: `request`, or what another request has stored. */
  claim(key: string, request: KeyedRequest, now: number): Promise<KeyedRequest>;
  /** Replaces a run that has ended without a response. Resolves with `false` if another request was faster. */
  takeOver(key: string, request: KeyedRequest, previousRun: string): Promise<boolean>;
  /** Keeps the final response. */
  keep(key: string, run: string, response: KeptResponse): Promise<void>;
  /** Ends the run without a response, because its outcome is unknown. */
  abandon(key: string, run: string): Promise<void>;
  /** Frees the key. */
  release(key: string, run: string): Promise<void>;
}
