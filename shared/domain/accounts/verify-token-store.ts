/** Finds workspaces by the SHA-256 of their own verify tokens. */
export interface VerifyTokenStore {
  /** The workspace of a verify token. */
  find(hash: string): Promise<string | undefined>;
  /** Resolves with `false` when the token is that of another workspace. */
  enter(hash: string, workspace: string): Promise<boolean>;
  remove(hash: string): Promise<void>;
}
