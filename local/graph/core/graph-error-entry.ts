/** One of Graph's errors. */
export interface GraphErrorEntry {
  readonly status: number;
  readonly type: 'OAuthException' | 'GraphMethodException';
  readonly code: number;
  readonly subcode?: number;
  /** Errors without an explanation say everything in `message`. */
  readonly title?: string;
  readonly explanation: string;
  /** Flows explain errors in `error_user_title` and `error_user_msg`, other parts of the Cloud API in `error_data`. */
  readonly explainedIn?: 'error_data';
  readonly transient?: boolean;
}
