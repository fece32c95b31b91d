import type { Membership } from '#shared/accounts/membership-store.ts';
import type { Role, Workspace } from '#shared/accounts/workspace.ts';
import { describeError, type LogFields, log } from '#shared/base/logger.ts';
import { invalidField } from '#shared/base/service-error.ts';
import type { Clock } from '#shared/base/time.ts';
import { UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';
import type { UpstreamFile, UpstreamMedia } from '#shared/media/media-graph.ts';
import { logCause } from '#shared/operations/middleware.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { missingObject } from './graph-errors.ts';
import type { Belongings, GraphObjectStore, IdEntry, NumberOfUser } from './graph-object-store.ts';
import type { GraphQuery, UpstreamObjects } from './graph-objects-graph.ts';
import type { ObjectKind } from './graph-paths.ts';

/** An object of the platform that is tied to the token's user. */
export interface FoundObject {
  kind: ObjectKind;
  id: string;
  /** The workspace whose credentials are used. */
  workspace: Workspace;
  role: Role;
  /** All of the user's workspaces that have it; several may share an account. */
  memberships: readonly Membership[];
  /** The number itself, or the one that a file belongs to. */
  number?: PhoneNumber;
  file?: UpstreamFile;
}

/** The number of an object that is one, or belongs to one. */
export function numberOf({ number }: FoundObject): PhoneNumber {
  if (!number) throw new Error('This object has no number');
  return number;
}

/** What a request asks for, and what the table knows of its id. */
export interface Sought {
  id: string;
  /** What the id may name, as the path allows. */
  kinds: ReadonlySet<ObjectKind>;
  /** The same, as also the parameters allow: only a template has `fields`, and only a file the id of a number. */
  likely: ReadonlySet<ObjectKind>;
  entry: IdEntry | undefined;
  /** What the table knows of the number whose file is meant, if the query names one. */
  ofNumber: { entry: IdEntry | undefined } | undefined;
  user: string;
}

export interface FindContext {
  objects: GraphObjectStore;
  /** Each creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => UpstreamObjects;
  media: (workspace: Workspace) => Pick<UpstreamMedia, 'describe'>;
  now: Clock;
}

/** No object has this id. The platform is asked for it instead of for an id that belongs to somebody else. */
const nobodysId = '0';

/** How many reads lead from an entry of the table to its object, or show that it is somebody else's. */
const readsOf = { number: 2, flow: 1, account: 2, template: 2 } as const;

/** The most pages of templates that a request reads to find one. */
const maxPages = 10;

/**
 * Finds the object of an id if it belongs to the user. What belongs to somebody else is looked for as if it did not
 * exist, and its id never reaches the platform. Only files and templates are not in the table: a file is asked for with
 * the user's numbers, and a template is looked for in the user's accounts. Whatever is not found takes as many reads, so
 * that response times do not reveal which objects exist.
 */
export async function findObject(sought: Sought, context: FindContext): Promise<FoundObject | 'too-many' | undefined> {
  const { entry, kinds, user, ofNumber } = sought;
  const { objects } = context;
  const id = entry ? nobodysId : sought.id;
  if (ofNumber) {
    const number = ofNumber.entry?.kind === 'number' ? ofNumber.entry.number : nobodysId;
    const found = await objects.numberOf(user, number);
    return found && fileOf(id, found);
  }
  const isServed = entry !== undefined && kinds.has(entry.kind);
  const object = (isServed && (await findKnown(entry, sought, objects))) || (await findElsewhere(id, sought, context));
  if (typeof object !== 'object') await objects.readNothing(2 - (isServed ? readsOf[entry.kind] : 0));
  return object;
}

/** Finds what the table knows under the id, if it belongs to the user. */
async function findKnown(entry: IdEntry, { id, user }: Sought, objects: GraphObjectStore) {
  if (entry.kind === 'number') {
    const found = await objects.numberOf(user, entry.number);
    return found && { ...tied('number', id, [found]), number: found.number };
  }
  if (entry.kind === 'flow') {
    const membership = await objects.membershipOfFlow(user, entry);
    return membership && tied('flow', id, [membership]);
  }
  const memberships = await objects.membershipsIn(entry.account, user);
  return memberships.length > 0 ? tied(entry.kind, id, memberships) : undefined;
}

/** Looks for a file of one of the user's numbers, and then for a template. */
async function findElsewhere(id: string, { likely, user }: Sought, context: FindContext) {
  const mayBeFile = likely.has('media');
  if (!mayBeFile && !likely.has('template')) return undefined;
  const belongings = await context.objects.belongingsOf(user);
  const search: Search = { asked: 0, rejected: [] };
  const file = mayBeFile && !belongings.more ? await findFile(id, belongings, context, search) : undefined;
  if (file) return file;
  const template = likely.has('template') ? await findTemplate(id, belongings, context, search) : undefined;
  const [rejected] = search.rejected;
  if (!template && rejected && search.rejected.length === search.asked) throw rejected;
  return template ?? (mayBeFile && belongings.more ? 'too-many' : undefined);
}

/** Of several workspaces, one that the user owns goes first. */
function tied(kind: ObjectKind, id: string, memberships: readonly Membership[]): FoundObject {
  const best = memberships.find(({ role }) => role === 'owner') ?? memberships[0];
  if (!best) throw new Error('Nobody is tied to this object');
  return { kind, id, workspace: best.workspace, role: best.role, memberships };
}

const fileOf = (id: string, found: NumberOfUser): FoundObject => ({
  ...tied('media', id, [found]),
  number: found.number,
});

/**
 * How many places were searched for an id, and the errors of those whose credentials the platform rejected. If it
 * rejected all of them, the service cannot tell whether the object exists.
 */
interface Search {
  asked: number;
  rejected: UpstreamError[];
}

const refusals: ReadonlySet<UpstreamFailure> = new Set(['rejected', 'forbidden', 'credentials']);

/**
 * The error, if it is the response. What the platform does not let a workspace read does not exist for its users, but
 * any other failure may pass.
 */
function failureOf(error: unknown, place: LogFields, { rejected }: Search): unknown {
  if (!(error instanceof UpstreamError) || !refusals.has(error.failure)) return error;
  if (error.failure === 'credentials') rejected.push(error);
  logCause(error, place);
  return undefined;
}

/** A workspace whose requests fail does not hide the file of another one. */
async function findFile(id: string, { numbers }: Belongings, { media }: FindContext, search: Search) {
  const failures: unknown[] = [];
  search.asked += numbers.length;
  const files = await Promise.all(
    numbers.map(async (found) => {
      const asked = media(found.workspace).describe(id, found.number.phone_number_id);
      const file = await asked.catch((error: unknown) => {
        failures.push(failureOf(error, { number: found.number.id }, search));
      });
      return typeof file === 'object' ? { ...fileOf(id, found), file } : undefined;
    }),
  );
  const file = files.find((each) => each !== undefined);
  const failed = failures.find((each) => each !== undefined);
  if (!file && failed) throw failed;
  return file;
}

/** An account whose requests fail does not hide the template of another one. */
async function findTemplate(id: string, { memberships }: Belongings, context: FindContext, search: Search) {
  const byAccount = Map.groupBy(memberships, ({ workspace }) => workspace.waba_id);
  let pages = 0;
  let failed: unknown;
  for (const [account, ofAccount] of byAccount) {
    if (account === null) continue;
    const { workspace } = ofAccount[0] as Membership;
    search.asked++;
    try {
      for await (const ids of templatePages(account, workspace, context)) {
        if (ids.includes(id)) return tied('template', id, ofAccount);
        pages++;
        if (pages === maxPages) return undefined;
      }
    } catch (error) {
      failed ??= failureOf(error, { account }, search);
    }
  }
  if (failed !== undefined) throw failed;
  return undefined;
}

/** Reads the ids of an account's templates, page by page, and remembers their account. */
export async function* templatePages(
  account: string,
  workspace: Workspace,
  context: FindContext,
): AsyncGenerator<string[]> {
  const found = context.upstream(workspace).pages(account, 'message_templates', { fields: 'id' }, maxPages);
  for await (const templates of found) {
    const ids = templates.map(({ id }) => id);
    await remember(account, ids, context);
    yield ids;
  }
}

/** Remembers the account of templates. Without that, the next request looks for them again. */
export async function remember(account: string, ids: readonly string[], { objects, now }: FindContext): Promise<void> {
  await objects
    .rememberTemplates(account, ids, now())
    .catch((error) => log('warn', 'templates.not-remembered', describeError(error)));
}

/** The parameters that name templates by their ids, and not by the path. */
const templateParameters = ['hsm_id', 'hsm_ids', 'template_ids'];

/** Ids with commas between them, perhaps as a list in JSON. */
const listOfIds = /^\[?\s*"?\d{1,32}"?(?:\s*,\s*"?\d{1,32}"?)*\s*\]?$/;

/** The most ids, as many as one read of the table takes. */
const maxIds = 100;

/** Requires that the templates that a query names are in the account of the path. Others do not exist. */
export async function requireNamedTemplates(
  { method, object, query }: { method: string; object: FoundObject; query: GraphQuery },
  context: FindContext,
): Promise<void> {
  const named = templateParameters.filter((name) => query[name] !== undefined);
  const sought = new Set(named.flatMap((name) => idsIn(name, query[name])));
  if (sought.size > maxIds) throw invalidField(named.join(', '), 'max_array', { max: maxIds });
  if (sought.size === 0) return;
  for (const id of await context.objects.templatesIn(object.id, [...sought], context.now())) sought.delete(id);
  if (sought.size === 0) return;
  for await (const ids of templatePages(object.id, object.workspace, context)) {
    for (const id of ids) sought.delete(id);
    if (sought.size === 0) return;
  }
  throw missingObject(method, [...sought].join(', '));
}

function idsIn(name: string, value = ''): string[] {
  if (!listOfIds.test(value)) throw invalidField(name, 'format');
  return value.match(/\d+/g) ?? [];
}
