import { maxAnswerBytes, sizeInAnswer } from '../http/answer-size.ts';
import type { FlowPageQuery } from '../storage/flows.ts';
import { readWithJson } from './answer.ts';
import { type FlowContext, settleFlow } from './change-flow.ts';
import { isAbandoned, isLive, type LiveFlow } from './flow.ts';

/** A page's body ends before this many bytes of UTF-8, unless its first Flow alone is larger. */
const maxPageBytes = 5_000_000;

/** What a Flow adds to a page besides its JSON: its other members at their largest, and then some. */
const memberBytes = 8_000;

export interface FlowPage {
  /** Newest first. */
  flows: { flow: LiveFlow; text: string }[];
  /** Whether there are more beyond the page's end, in the direction in which it was read. */
  more: boolean;
}

/** One page, at most `limit` Flows; changes that were abandoned on the way are settled first. */
export async function readFlowPage(query: FlowPageQuery, limit: number, context: FlowContext): Promise<FlowPage> {
  const flows: FlowPage['flows'] = [];
  const room = { bytes: maxPageBytes, inAnswer: maxAnswerBytes };
  let more = false;
  for await (const found of settled(query, context)) {
    const shown = await readWithJson(found, context);
    if (!shown) continue;
    room.bytes -= Buffer.byteLength(shown.text) + memberBytes;
    room.inAnswer -= sizeInAnswer(shown.text) + memberBytes;
    more = flows.length === limit || (flows.length > 0 && (room.bytes < 0 || room.inAnswer < 0));
    if (more) break;
    flows.push(shown);
  }
  return { flows: query.from?.towards === 'newer' ? flows.reverse() : flows, more };
}

async function* settled(query: FlowPageQuery, context: FlowContext): AsyncGenerator<LiveFlow> {
  for await (const flow of context.flows.list(query)) {
    const current = isAbandoned(flow, context.now()) ? await settleFlow(flow, context) : flow;
    if (current && isLive(current) && (!query.status || current.status === query.status)) yield current;
  }
}
