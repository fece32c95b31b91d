import type { BusinessAccount } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { parseFields } from '../http/node.ts';
import { paginate } from '../http/paging.ts';
import { booleanParam } from '../http/params.ts';
import type { Endpoints } from './endpoints.ts';
import {
  assertDeletable,
  deprecated,
  draft,
  type Flow,
  published,
  publishObstacle,
  withFlowJson,
  withMetadata,
} from './flows.ts';
import { assetNode, defaultFlowFields, flowNode } from './node.ts';
import { readAsset, readFlowJson, readMetadata, readNewMetadata } from './params.ts';
import type { FlowStore } from './store.ts';

/** A Flow has one asset, so there is one page. Graph's cursor for it is always this one. */
const onlyPage = { cursors: { before: 'MAZDZD', after: 'MAZDZD' } };

/** Graph's operations on Flows (Meta's page "Flows API"). */
export function flowRoutes({ accounts, faults, now }: Platform, store: FlowStore, endpoints: Endpoints): GraphRoute[] {
  return [
    { operation: 'create_flow', method: 'POST', edge: 'flows', handle: createFlow },
    { operation: 'list_flows', method: 'GET', edge: 'flows', handle: listFlows },
    { operation: 'get_flow', method: 'GET', handle: ({ id, url }) => nodeOf(store.get(id), url) },
    { operation: 'update_flow', method: 'POST', handle: updateFlow },
    { operation: 'delete_flow', method: 'DELETE', handle: deleteFlow },
    { operation: 'update_flow_json', method: 'POST', edge: 'assets', handle: updateFlowJson },
    { operation: 'list_flow_assets', method: 'GET', edge: 'assets', handle: listAssets },
    { operation: 'publish_flow', method: 'POST', edge: 'publish', handle: publishFlow },
    { operation: 'deprecate_flow', method: 'POST', edge: 'deprecate', handle: deprecateFlow },
  ];

  function createFlow({ id, params }: GraphRequest) {
    const account = accountOf(id);
    const metadata = readNewMetadata(params);
    const flowJson = readFlowJson(params);
    const publish = booleanParam(params, 'publish') ?? false;
    if (publish && flowJson === undefined) {
      throw new GraphError('invalid_parameter', 'The parameter publish needs the parameter flow_json');
    }
    assertNameFree(account, metadata.name);

    const empty = draft(store.nextId(now()), account, metadata, now());
    const flow = flowJson === undefined ? empty : withFlowJson(empty, flowJson, now());
    const publishable = publish && publishObstacle(flow, account) === undefined;
    store.save(publishable ? published(flow, account, now()) : flow);
    if (flowJson === undefined) return { id: flow.id };
    return { id: flow.id, success: publishable || !publish, validation_errors: flow.validation_errors };
  }

  function listFlows({ id, url }: GraphRequest) {
    const account = accountOf(id);
    const { data, ...rest } = paginate(store.ofAccount(account.waba_id), url);
    return { data: data.map((flow) => nodeOf(flow, url)), ...rest };
  }

  function updateFlow({ id, params }: GraphRequest) {
    const flow = store.get(id);
    const changes = readMetadata(params);
    if (changes.name !== undefined && changes.name !== flow.name) assertNameFree(ownerOf(flow), changes.name);
    store.save(withMetadata(flow, changes, now()));
    return { success: true };
  }

  function updateFlowJson({ id, params }: GraphRequest) {
    const flow = store.get(id);
    const { validation_errors } = store.save(withFlowJson(flow, readAsset(params), now()));
    return { success: true, validation_errors };
  }

  function listAssets({ id, url }: GraphRequest) {
    const flow = store.get(id);
    if (flow.flow_json === null) return { data: [] };
    return { data: [assetNode(flow, url)], paging: onlyPage };
  }

  async function publishFlow({ id }: GraphRequest) {
    const flow = store.get(id);
    const account = ownerOf(flow);
    const obstacle = publishObstacle(flow, account) ?? (await endpoints.obstacleOf(flow));
    if (obstacle !== undefined) throw new GraphError(obstacle);
    store.save(published(store.get(id), account, now()));
    return { success: true };
  }

  function deprecateFlow({ id }: GraphRequest) {
    store.save(deprecated(store.get(id), now()));
    return { success: true };
  }

  function deleteFlow({ id }: GraphRequest) {
    const flow = store.get(id);
    assertDeletable(flow);
    store.delete(flow);
    return { success: true };
  }

  function nodeOf(flow: Flow, url: URL) {
    const fields = parseFields(url.searchParams.get('fields') ?? defaultFlowFields);
    return flowNode(flow, { account: ownerOf(flow), faults }, fields);
  }

  function accountOf(id: string): BusinessAccount {
    const account = accounts.find(({ waba_id }) => waba_id === id);
    if (account === undefined) throw new GraphError('object_missing');
    return account;
  }

  function ownerOf(flow: Flow): BusinessAccount {
    return accountOf(flow.waba_id);
  }

  function assertNameFree(account: BusinessAccount, name: string): void {
    const taken = store.ofAccount(account.waba_id).some((flow) => flow.name === name);
    if (taken) throw new GraphError('flow_name_not_unique');
  }
}
