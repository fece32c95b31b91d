import { hashToken, isExpired, isWellFormed, type TokenRecord } from '#shared/accounts/token.ts';
import { type Member, permitsCalls, type Role, type Workspace } from '#shared/accounts/workspace.ts';
import { parseUuid } from '#shared/base/ids.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import type { Clock } from '#shared/base/time.ts';
import { type FlowRecord, isLive, type LiveFlow } from '#shared/flows/flow.ts';
import { type HttpEvent, header } from '#shared/http/request.ts';
import { builtInTargets, ownName, type PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { Contract } from './contract.ts';

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

/** The authorized caller, and the resources that the request's path names. */
export interface Resources {
  user?: string;
  workspace?: Workspace;
  /** The caller's role in the workspace. */
  role?: Role;
  flow?: LiveFlow;
  number?: PhoneNumber;
  /** The name of a target, which need not exist. */
  target?: string;
}

/** Identifies the caller, and checks what it may do. `identified` gets the user also if the request is then rejected. */
export async function authorize(
  contract: Contract,
  event: HttpEvent,
  read: AccessReader | undefined,
  now: Clock,
  identified: (user: string) => void = () => {},
): Promise<Resources> {
  if (!read) throw new Error(`${contract.name} demands an access token but cannot read who may do what`);
  const bearer = /^Bearer +(\S+)$/i.exec(header(event, 'authorization') ?? '')?.[1];
  if (bearer === undefined || !isWellFormed(bearer)) throw new ServiceError('unauthenticated');
  const id = (name: string) => parseUuid(event.pathParameters?.[name]);
  const access = await read({
    tokenHash: hashToken(bearer),
    workspace: id('workspace'),
    flow: id('flow'),
    number: id('number'),
  });
  if (!access.token || isExpired(access.token, now())) throw new ServiceError('unauthenticated');
  const { user } = access.token;
  identified(user);
  if (contract.caller === 'user') return { user };
  if (contract.caller === 'number-user' || contract.caller === 'number-owner') {
    const resources = { ...usableNumber(access), ...namedTarget(contract, event) };
    return { user, ...resources, role: permittedRole(contract, access, resources.target) };
  }
  if (contract.caller === 'number-caller') return { user, ...callingNumber(access) };
  const resources = {
    ...existing(access, contract.path.includes('{flow}')),
    ...namedTarget(contract, event),
  };
  return { user, ...resources, role: permittedRole(contract, access) };
}

/** Hides inactive numbers and those of other workspaces: the caller learns only that no such number exists. */
function usableNumber({ number, workspace, membership }: Access): Required<Pick<Resources, 'number' | 'workspace'>> {
  if (!number?.active || !workspace || !membership) throw new ServiceError('number.not-found');
  return { number, workspace };
}

function callingNumber(access: Access): Resources {
  const resources = usableNumber(access);
  if (!permitsCalls(resources.workspace)) throw new ServiceError('workspace.calling-disabled');
  if (!resources.number.calling_enabled) throw new ServiceError('number.calling-disabled');
  return resources;
}

function existing(access: Access, namesFlow: boolean): Resources {
  if (!access.workspace) throw new ServiceError('workspace.not-found');
  if (!namesFlow) return { workspace: access.workspace };
  if (!access.flow || !isLive(access.flow)) throw new ServiceError('flow.not-found');
  return { workspace: access.workspace, flow: access.flow };
}

/** The name of the target in the path. A workspace has only one, and a number may have some with names of their own. */
function namedTarget({ path }: Contract, { pathParameters }: HttpEvent): Pick<Resources, 'target'> {
  if (!path.includes('{target}')) return {};
  const target = pathParameters?.target ?? '';
  const isOfNumber = path.includes('{number}');
  const builtIn: readonly string[] = isOfNumber ? builtInTargets : ['webhook'];
  if (builtIn.includes(target) || (isOfNumber && ownName.test(target))) return { target };
  const code = isOfNumber ? 'target.invalid-name' : 'target.not-found';
  throw new ServiceError(code, { values: { targets: builtIn.join(', ') } });
}

function permittedRole({ caller, method }: Contract, { membership }: Access, target?: string): Role {
  if (!membership) throw new ServiceError('workspace.not-member');
  const changesOwnTarget = target !== undefined && ownName.test(target) && method !== 'GET';
  const forOwners = caller === 'workspace-owner' || caller === 'number-owner' || changesOwnTarget;
  if (forOwners && membership.role !== 'owner') throw new ServiceError('workspace.not-owner');
  return membership.role;
}
