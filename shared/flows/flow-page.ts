import { maxResponseBytes, sizeInResponse } from '#shared/http/response-body.ts';
import { isAbandoned, isLive, jsonBytes, type LiveFlow } from './flow.ts';
import type { FlowPageQuery } from './flow-list-store.ts';
import { readAllWithJson } from './read-with-json.ts';
import { reconcileFlow } from './recover-flow.ts';
import type { FlowContext } from './upstream-changes.ts';

/** A page's body stays below this many bytes of UTF-8, unless its first Flow alone is larger. */
const maxPageBytes = 5_000_000;

/**
 * Bytes that a Flow adds to a page in addition to its JSON: the maximum size of its other members, with some margin.
 */
const memberBytes = 8_000;

/** A Flow in a list, with its JSON text if the list has them. */
export interface ListedFlow {
  flow: LiveFlow;
  text?: string;
}

export interface FlowPage {
  /** Newest first. */
  flows: ListedFlow[];
  /** Whether there are more Flows beyond the page's end, in the direction in which it was read. */
  more: boolean;
}

export interface PageOptions {
  limit: number;
  /** Without their JSON texts, the Flows cost only the reads of their items. */
  withJson: boolean;
}

/** Reads one page of at most `limit` Flows and reconciles the abandoned changes that it meets. */
export async function readFlowPage(
  query: FlowPageQuery,
  { limit, withJson }: PageOptions,
  context: FlowContext,
): Promise<FlowPage> {
  const flows: ListedFlow[] = [];
  const left = { bytes: maxPageBytes, inResponse: maxResponseBytes };
  /** Flows that fit by their size as it is stored. Their texts are read together. */
  let batch: LiveFlow[] = [];

  /** Adds the batch to the page. Resolves with `false` if a Flow of it does not fit by its size in the response. */
  async function addBatch(): Promise<boolean> {
    const listed: ListedFlow[] = withJson ? await readAllWithJson(batch, context) : batch.map((flow) => ({ flow }));
    batch = [];
    for (const shown of listed) {
      left.inResponse -= sizeInResponse(shown.text ?? '') + memberBytes;
      if (left.inResponse < 0 && flows.length > 0) return false;
      flows.push(shown);
    }
    return true;
  }

  let more = false;
  for await (const flow of listReconciled({ ...query, expected: limit + 1 }, context)) {
    left.bytes -= memberBytes + (withJson ? jsonBytes(flow.json) : 0);
    if (left.bytes < 0 || flows.length + batch.length === limit) {
      more = !(await addBatch()) || flows.length === limit || (left.bytes < 0 && flows.length > 0);
      if (more) break;
    }
    batch.push(flow);
  }
  more ||= !(await addBatch());
  return { flows: query.from?.towards === 'newer' ? flows.reverse() : flows, more };
}

async function* listReconciled(query: FlowPageQuery, context: FlowContext): AsyncGenerator<LiveFlow> {
  for await (const flow of context.flows.list(query)) {
    const current = isAbandoned(flow, context.now()) ? await reconcileFlow(flow, context) : flow;
    if (current && isLive(current) && (!query.status || current.status === query.status)) yield current;
  }
}
