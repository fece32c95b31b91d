import type { TokenRecord } from '../accounts/token.ts';
import type { Member, Workspace } from '../accounts/workspace.ts';
import type { FlowRecord } from '../flows/flow.ts';
import type { PhoneNumber } from '../subscribers/number.ts';

/** The token and the resources that a request names. Ids are canonical UUIDs; `undefined` when the path holds none. */
export interface AccessQuery {
  tokenHash: string;
  workspace?: string | undefined;
  flow?: string | undefined;
  /** Identifies the workspace by one of its numbers. */
  number?: string | undefined;
}

/** The records that the query names, as far as they exist, and the membership of the token's user. */
export interface Access {
  token: TokenRecord | undefined;
  workspace: Workspace | undefined;
  membership: Member | undefined;
  flow?: FlowRecord | undefined;
  number?: PhoneNumber | undefined;
}

export type AccessReader = (query: AccessQuery) => Promise<Access>;
