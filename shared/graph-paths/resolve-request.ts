import { hashToken, isExpired, isWellFormed } from '#shared/accounts/token.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { type HttpEvent, header } from '#shared/http/request.ts';
import { type FindContext, type FoundObject, findObject } from './find-object.ts';
import { changesFlow, missingObject, twoTokens, unknownPath } from './graph-path-error.ts';
import { flowChanges, type GraphPath, type ObjectKind, type PathGroup } from './graph-paths.ts';
import { isId, type ParsedPath, parsePath, pathsFor } from './path-routing.ts';
import { type QueryParameters, unknownIn } from './read-input.ts';

/** A request whose object belongs to the token's user. */
export interface ResolvedRequest {
  path: ParsedPath;
  /** The path of the table, and its name. */
  name: string;
  row: GraphPath;
  object: FoundObject;
}

/** The access token: as a bearer, or in the query, as some clients of Graph send it. Both may be there if they agree. */
function tokenOf(event: HttpEvent): string {
  const authorization = header(event, 'authorization');
  const bearer = authorization && (/^(?:Bearer|OAuth) +(\S+)$/i.exec(authorization)?.[1] ?? '');
  const inQuery = event.queryStringParameters?.access_token;
  if (bearer !== undefined && inQuery !== undefined && bearer !== inQuery) throw twoTokens();
  const token = bearer ?? inQuery ?? '';
  if (!isWellFormed(token)) throw new ServiceError('unauthenticated');
  return token;
}

/** What a request may mean, as long as nobody knows what its id names. */
function meanings(group: PathGroup, method: string, path: ParsedPath | undefined, parameters: QueryParameters) {
  const rows = path ? pathsFor(group, method, path.edge) : [];
  const changes = flowChanges.filter((change) => path && change.method === method && change.edge === path.edge);
  const kinds = new Set<ObjectKind>([...rows.map(([, row]) => row.of), ...changes.map(({ of }) => of)]);
  const fitting = rows.filter(([, row]) => unknownIn(parameters, row).length === 0).map(([, row]) => row.of);
  return { rows, changes, kinds, likely: fitting.length > 0 ? new Set(fitting) : kinds };
}

/** Who asks, for which path, and what the table knows of the ids that the request names. */
export async function identify(event: HttpEvent, { objects, now }: FindContext) {
  const hash = hashToken(tokenOf(event));
  const path = parsePath(event.rawPath);
  const ids = [path?.id, event.queryStringParameters?.phone_number_id].filter((id) => id !== undefined && isId(id));
  const { token, entryOf } = await objects.readEntries(hash, ids as string[], now());
  if (!token || isExpired(token, now())) throw new ServiceError('unauthenticated');
  return { token, path, entryOf };
}

/** Finds what a request is for. */
export async function resolveRequest(
  group: PathGroup,
  event: HttpEvent,
  { token: { user }, path, entryOf }: Awaited<ReturnType<typeof identify>>,
  context: FindContext,
): Promise<ResolvedRequest> {
  const { method } = event.requestContext.http;
  const parameters = event.queryStringParameters ?? {};
  const { rows, changes, kinds, likely } = meanings(group, method, path, parameters);
  if (!path || kinds.size === 0) throw unknownPath();

  const { id } = path;
  const numberId = kinds.has('media') ? parameters.phone_number_id : undefined;
  const ofNumber = numberId === undefined ? undefined : { entry: isId(numberId) ? entryOf(numberId) : undefined };
  const object = await findObject({ id, kinds, likely, entry: entryOf(id), ofNumber, user }, context);
  if (object === undefined) throw missingObject(method, id);
  if (object === 'too-many') throw missingObject(method, id, 'Name your number with the parameter phone_number_id.');
  const change = changes.find(({ of }) => of === object.kind);
  if (change) throw changesFlow(change.instead);
  const [name, row] = rows.find(([, { of }]) => of === object.kind) ?? [];
  if (name === undefined || row === undefined) throw missingObject(method, id);
  return { path, name, row, object };
}
