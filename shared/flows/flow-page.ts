import { maxResponseBytes, sizeInResponse } from '#shared/http/response-body.ts';
import { isAbandoned, isLive, jsonBytes, type LiveFlow } from './flow.ts';
import type { FlowPageQuery } from './flow-store.ts';
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
  const flows: FlowPage['flows'] = [];
  const found = new Ahead(listReconciled({ ...query, expected: limit + 1 }, context));
  const room: Room = { bytes: maxPageBytes, inResponse: maxResponseBytes, isFull: false };
  while (flows.length < limit && !(room.isFull && flows.length > 0) && (await found.peek())) {
    const bytesOf = ({ json }: LiveFlow) => memberBytes + (withJson ? jsonBytes(json) : 0);
    const batch = await takeBatch(found, limit - flows.length, room, bytesOf, flows.length === 0);
    const listed: ListedFlow[] = withJson ? await readAllWithJson(batch, context) : batch.map((flow) => ({ flow }));
    for (const shown of listed) {
      room.inResponse -= sizeInResponse(shown.text ?? '') + memberBytes;
      if (room.inResponse < 0 && flows.length > 0) {
        room.isFull = true;
        break;
      }
      flows.push(shown);
    }
  }
  const more = room.isFull || (await found.peek()) !== undefined;
  return { flows: query.from?.towards === 'newer' ? flows.reverse() : flows, more };
}

/** The space left in a page; `isFull` once a Flow did not fit. */
interface Room {
  bytes: number;
  inResponse: number;
  isFull: boolean;
}

/** The next Flows of a page, which are read together: those that fit, and always the first Flow of the page. */
async function takeBatch(
  found: Ahead<LiveFlow>,
  maxFlows: number,
  room: Room,
  bytesOf: (flow: LiveFlow) => number,
  isFirst: boolean,
): Promise<LiveFlow[]> {
  const batch: LiveFlow[] = [];
  while (batch.length < maxFlows) {
    const next = await found.peek();
    if (next === undefined) break;
    room.bytes -= bytesOf(next);
    room.isFull = room.bytes < 0 && !(isFirst && batch.length === 0);
    if (room.isFull) break;
    batch.push(next);
    found.advance();
  }
  return batch;
}

/** An iterator with a peek at the next value. */
class Ahead<T> {
  readonly #values: AsyncIterator<T>;
  #next: Promise<IteratorResult<T>> | undefined;

  constructor(values: AsyncIterable<T>) {
    this.#values = values[Symbol.asyncIterator]();
  }

  async peek(): Promise<T | undefined> {
    this.#next ??= this.#values.next();
    const { done, value } = await this.#next;
    return done ? undefined : value;
  }

  advance(): void {
    this.#next = undefined;
  }
}

async function* listReconciled(query: FlowPageQuery, context: FlowContext): AsyncGenerator<LiveFlow> {
  for await (const flow of context.flows.list(query)) {
    const current = isAbandoned(flow, context.now()) ? await reconcileFlow(flow, context) : flow;
    if (current && isLive(current) && (!query.status || current.status === query.status)) yield current;
  }
}
