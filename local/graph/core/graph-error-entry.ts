/** What Graph answers for one refusal. */
export interface GraphErrorEntry {
  readonly status: number;
  readonly type: 'OAuthException' | 'GraphMethodException';
  readonly code: number;
  readonly subcode?: number;
  /** Errors without one say everything in `message`. */
  readonly title?: string;
  readonly explanation: string;
  /** Flows are explained in `error_user_title` and `error_user_msg`, the Cloud API's own matters in `error_data`. */
  readonly explainedIn?: 'error_data';
  readonly transient?: boolean;
}
