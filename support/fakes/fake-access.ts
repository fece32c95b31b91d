import { hashToken, type TokenRecord, withChecksum } from '#shared/accounts/token.ts';
import type { Role, Workspace } from '#shared/accounts/workspace.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import type { AccessReader } from '#shared/operations/authorize.ts';

/** What the table stores about callers, see {@link fakeAccess}. */
export interface AccessData {
  workspace: Workspace;
  flows: readonly FlowRecord[];
  /** The caller's role; `undefined` if the caller is not a member. */
  role: Role | undefined;
  /** `undefined` if the token was revoked. */
  token: TokenRecord | undefined;
}

const bearer = withChecksum('A'.repeat(32));

/** The header of a request with the token. */
export const caller = `Bearer ${bearer}`;

export const token: TokenRecord = { hash: hashToken(bearer), user: 'user-1', label: 'test', created_at: 0 };

export const workspace: Workspace = {
  id: '018f0000-0000-7000-8000-000000000001',
  name: 'Lucky Shrub',
  waba_id: '102290129340398',
  created_at: 0,
};

/** An access reader over one workspace. Like the table, it finds records only by their exact ids. */
export function fakeAccess(data: Partial<AccessData> = {}): AccessReader {
  const records: AccessData = { workspace, flows: [], role: 'owner', token, ...data };
  return async (query) => {
    const found = query.workspace === records.workspace.id;
    return {
      token: records.token?.hash === query.tokenHash ? records.token : undefined,
      workspace: found ? records.workspace : undefined,
      membership:
        found && records.role ? { workspace: records.workspace.id, user: token.user, role: records.role } : undefined,
      flow: found ? records.flows.find(({ id }) => id === query.flow) : undefined,
    };
  };
}
