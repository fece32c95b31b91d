import { keys, prefixes } from '#shared/aws/keys.ts';
import { batchGet, maxKeys, queryPartition, type Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import {
  isContainer,
  isNumber,
  isObject,
  type JsonObject,
  maxJsonDepth,
  nestsDeeperThan,
  numberText,
  objectOf,
  parseExactJson,
  parseJson,
} from '#shared/base/json.ts';
import { ServiceError } from '#shared/base/service-error.ts';

export type ForeignFlowStore = ReturnType<typeof foreignFlowStore>;

/** Workspaces with one business account. */
type Owners = readonly { id: string; waba_id: string | null }[];

type Names = ReadonlySet<string>;

/** No Flow has this id: the upstream's are much longer. */
const nobodysId = '1';

/** Several workspaces may share a business account, and the upstream takes each Flow of the account from all of them. */
export function foreignFlowStore(table: Table) {
  /** Those of these ids that no other workspace has. */
  async function permittedIds(named: Names, owners: Owners): Promise<Names> {
    const ids = [...named].filter((id) => /^[1-9]\d{0,31}$/.test(id)).slice(0, maxKeys);
    const claims = await batchGet(table, ids.map(keys.upstreamFlow));
    const foreign = new Set(claims.filter(({ workspace }) => !isAmong(owners, workspace)).map(({ pk }) => pk));
    return new Set(ids.filter((id) => !foreign.has(keys.upstreamFlow(id).pk)));
  }

  /**
   * Those of these names that may be meant: all of them if no other workspace has the account, else those of the owners'
   * Flows, because the table does not find Flows by their names.
   */
  async function permittedNames(named: Names, owners: Owners): Promise<Names> {
    if (named.size === 0) return named;
    const account = owners[0]?.waba_id;
    const [found] = account ? await batchGet(table, [keys.account(account)]) : [];
    const sharing = found?.workspaces as Names | undefined;
    if (sharing && [...sharing].every((workspace) => isAmong(owners, workspace))) return named;
    const names = await Promise.all(owners.map(({ id }) => namesIn(id)));
    return new Set(names.flat());
  }

  async function namesIn(workspace: string): Promise<string[]> {
    const flows = await Array.fromAsync(queryPartition(table, keys.workspace(workspace).pk, prefixes.flow));
    return flows.filter(({ wa_id }) => wa_id !== undefined).map(({ name }) => String(name));
  }

  return {
    /**
     * Replaces each Flow in a body in the upstream's form that belongs to none of these workspaces with one that does
     * not exist, so that the upstream rejects it as it rejects an invented one. A Flow that the table does not know stays:
     * it may have been created with the upstream's own tools.
     */
    async hide<Body extends JsonObject>(body: Body, owners: Owners): Promise<Body> {
      const named = { flow_id: new Set<string>(), flow_name: new Set<string>() };
      mapNames(body, (member, value) => {
        named[member].add(textOf(value));
      });
      if (named.flow_id.size + named.flow_name.size === 0) return body;
      const ids = await permittedIds(named.flow_id, owners);
      const names = await permittedNames(named.flow_name, owners);
      return mapNames(body, (member, value) => {
        if (member === 'flow_name') return names.has(textOf(value)) ? value : newId();
        if (ids.has(textOf(value))) return value;
        return isNumber(value) ? Number(nobodysId) : nobodysId;
      }) as Body;
    },
  };
}

const isAmong = (owners: Owners, workspace: unknown) => owners.some(({ id }) => id === workspace);

/** What is neither text nor a number names no Flow. */
function textOf(value: unknown): string {
  if (isNumber(value)) return numberText(value);
  return typeof value === 'string' ? value : '';
}

/** The client's data for its Flow, in which any member may have any name. */
const dataOfFlows: ReadonlySet<string> = new Set(['flow_action_payload', 'flow_action_data']);

/** Members that lead to names of Flows. The upstream may take each as a text with JSON, too. */
const structures: ReadonlySet<string> = new Set([
  ...['interactive', 'action', 'parameters', 'template', 'components', 'buttons', 'cards'],
  'library_template_button_inputs',
]);

/** Maps all values that name a Flow. An empty one names none. */
function mapNames(value: unknown, map: (member: 'flow_id' | 'flow_name', value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapNames(item, map));
  if (!isObject(value)) return value;
  const mapped = (name: string, member: unknown): unknown => {
    if (dataOfFlows.has(name) || member === null || member === '') return member;
    if (name === 'flow_id' || name === 'flow_name') return map(name, member);
    const written = structures.has(name) && typeof member === 'string' ? parseJson(member) : undefined;
    if (!isContainer(written)) return mapNames(member, map);
    if (nestsDeeperThan(maxJsonDepth, written)) {
      throw new ServiceError('body.too-deep', { values: { max: maxJsonDepth } });
    }
    return JSON.stringify(mapNames(parseExactJson(String(member)), map));
  };
  return objectOf(Object.entries(value).map(([name, member]) => [name, mapped(name, member)]));
}
