import { hashToken, isExpired, isWellFormed, type TokenRecord } from '#shared/accounts/token.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { type HttpEvent, header } from '#shared/http/request.ts';
import { type FindContext, type FoundObject, findObject } from './find-object.ts';
import { changesFlow, GraphPathError, missingObject, twoTokens, unknownPath } from './graph-errors.ts';
import { flowChanges, type GraphPath, graphPaths, type ObjectKind, type PathGroup } from './graph-paths.ts';
import { isId, type ParsedPath, parsePath } from './path-routing.ts';
import { unknownIn } from './read-input.ts';

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
  const inQuery = event.queryStringParameters?.access_token || undefined;
  if (bearer !== undefined && inQuery !== undefined && bearer !== inQuery) throw twoTokens();
  const token = bearer ?? inQuery ?? '';
  if (!isWellFormed(token)) throw new ServiceError('unauthenticated');
  return token;
}

/** Who asks, for which path, and what the table knows of the ids that the request names. */
export async function identify(event: HttpEvent, { objects, now }: FindContext) {
  const hash = hashToken(tokenOf(event));
  const path = parsePath(event.rawPath);
  const ids = [path?.id, event.queryStringParameters?.phone_number_id].filter(isId);
  const { token, entryOf } = await objects.readEntries(hash, ids, now());
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
  const isMeant = (one: { method: string; edge?: string }) => one.method === method && one.edge === path?.edge;
  const rows = Object.entries<GraphPath>(graphPaths[group]).filter(([, row]) => isMeant(row));
  const changes = flowChanges.filter(isMeant);
  const kinds = new Set<ObjectKind>([...rows.map(([, row]) => row), ...changes].map(({ of }) => of));
  if (!path || kinds.size === 0) throw unknownPath();

  const { id } = path;
  const fitting = rows.filter(([, row]) => unknownIn(parameters, row).length === 0).map(([, row]) => row.of);
  const likely = fitting.length > 0 ? new Set(fitting) : kinds;
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

const tokenPath = /^\/v2\/graph(?:\/v\d{1,3}\.\d{1,3})?\/debug_token\/?$/;

export const asksAboutToken = ({ rawPath, requestContext }: HttpEvent) =>
  requestContext.http.method === 'GET' && tokenPath.test(rawPath);

/**
 * What Graph says about a token, for that of the request only. The app is its user, because each app has one. What a token
 * may do depends on the role of its user in each workspace, which Graph has no scopes for.
 */
export function aboutToken({ hash, user, label, expires_at }: TokenRecord, { queryStringParameters }: HttpEvent) {
  const { input_token } = queryStringParameters ?? {};
  if (input_token === undefined || hashToken(input_token) !== hash) {
    throw new GraphPathError('The parameter input_token has to be the token of the request itself.', 400, 100);
  }
  return {
    data: {
      app_id: user,
      application: label,
      type: 'USER',
      user_id: user,
      is_valid: true,
      expires_at: Math.floor((expires_at ?? 0) / 1000),
      scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
    },
  };
}
