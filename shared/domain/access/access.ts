import type { PhoneNumber } from '../accounts/number.ts';
import type { TokenRecord } from '../accounts/token.ts';
import type { Member, Workspace } from '../accounts/workspace.ts';
import type { FlowRecord } from '../flows/flow.ts';

/** Whom and what a request names; ids are canonical UUIDs, `undefined` when the path holds none. */
export interface AccessQuery {
  tokenHash: string;
  user: string;
  workspace?: string | undefined;
  flow?: string | undefined;
  /** A number stands for its workspace. */
  number?: string | undefined;
}

/** What of it there is. */
export interface Access {
  token: TokenRecord | undefined;
  workspace: Workspace | undefined;
  membership: Member | undefined;
  flow?: FlowRecord | undefined;
  number?: PhoneNumber | undefined;
}

export type AccessReader = (query: AccessQuery) => Promise<Access>;
