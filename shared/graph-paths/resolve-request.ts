import { hashToken, isExpired, isWellFormed } from '#shared/accounts/token.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { type HttpEvent, header } from '#shared/http/request.ts';
import { type FindContext, type FoundObject, findObject } from './find-object.ts';
import { changesFlow, missingObject, twoTokens, unknownPath } from './graph-path-error.ts';
import { flowChanges, type GraphPath, type ObjectKind, type PathGroup } from './graph-paths.ts';
import { type ParsedPath, parsePath, pathsFor } from './path-routing.ts';
import { type QueryParameters, unknownIn } from './read-input.ts';

/** A request whose token is valid, and whose object belongs to the token's user. */
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

/** The id of the number whose file is meant; empty if it is malformed, which is the id of none. */
function numberInQuery({ queryStringParameters }: HttpEvent, kinds: ReadonlySet<ObjectKind>): string | undefined {
  const id = kinds.has('media') ? queryStringParameters?.phone_number_id : undefined;
  return id === undefined || /^\d{1,32}$/.test(id) ? id : '';
}

/** Finds who asks, and for what. `identified` gets the user also if the request is then rejected. */
export async function resolveRequest(
  group: PathGroup,
  event: HttpEvent,
  context: FindContext,
  identified: (user: string) => void,
): Promise<ResolvedRequest> {
  const token = tokenOf(event);
  const path = parsePath(event.rawPath);
  const { method } = event.requestContext.http;
  const { rows, changes, kinds, likely } = meanings(group, method, path, event.queryStringParameters ?? {});
  const numberId = numberInQuery(event, kinds);
  const ids = [path?.id, numberId].filter((id): id is string => Boolean(id));
  const { token: record, entryOf } = await context.objects.readEntries(hashToken(token), ids, context.now());
  if (!record || isExpired(record, context.now())) throw new ServiceError('unauthenticated');
  const { user } = record;
  identified(user);
  if (!path || kinds.size === 0) throw unknownPath();

  const { id } = path;
  const ofNumber = numberId === undefined ? undefined : { entry: numberId === '' ? undefined : entryOf(numberId) };
  const object = await findObject({ id, kinds, likely, entry: entryOf(id), ofNumber, user }, context);
  if (object === undefined) throw missingObject(method, id);
  if (object === 'too-many') throw missingObject(method, id, 'Name your number with the parameter phone_number_id.');
  const change = changes.find(({ of }) => of === object.kind);
  if (change) throw changesFlow(change.instead);
  const [name, row] = rows.find(([, { of }]) => of === object.kind) ?? [];
  if (name === undefined || row === undefined) throw missingObject(method, id);
  return { path, name, row, object };
}
