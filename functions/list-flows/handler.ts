import { statusById } from '../../shared/flows/catalogue.ts';
import { type Cursor, decodeCursor, encodeCursor } from '../../shared/flows/cursor.ts';
import { readFlowPage } from '../../shared/flows/list-flows.ts';
import { presentFlow } from '../../shared/flows/present.ts';
import { type FlowDependencies, flowRuntime } from '../../shared/flows/runtime.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { invalidField } from '../../shared/http/validation.ts';
import { contract } from './contract.ts';

const defaultLimit = 100;

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, query, language, requestId }) => {
    const limit = query.limit ?? defaultLimit;
    const from = query.cursor === undefined ? undefined : requireCursor(query.cursor, workspace.id);
    const status = query.status === undefined ? undefined : statusById(query.status);
    const context = dependencies.contextFor(workspace, requestId);
    const { flows, more } = await readFlowPage({ workspace: workspace.id, status, from }, limit, context);

    const beyond = {
      older: from?.towards === 'newer' || more,
      newer: from?.towards === 'newer' ? more : from !== undefined,
    };
    const cursor = (towards: Cursor['towards'], edge = towards === 'older' ? flows.at(-1) : flows[0]) =>
      beyond[towards] && edge ? encodeCursor({ workspace: workspace.id, flow: edge.flow.id, towards }) : null;
    const path = `${dependencies.baseUrl}/v2/workspaces/${workspace.id}/flows`;
    const link = (at: string | null) => `${path}?${new URLSearchParams(pageQuery(query, limit, at))}`;
    const [next, prev] = [cursor('older'), cursor('newer')];
    return ok({
      data: flows.map(({ flow, text }) => presentFlow(flow, text, language)),
      links: { first: link(null), last: null, prev: prev && link(prev), next: next && link(next) },
      meta: { path, per_page: limit, next_cursor: next, prev_cursor: prev },
    });
  });

export const handler = makeHandler(flowRuntime());

function requireCursor(text: string, workspace: string): Cursor {
  const cursor = decodeCursor(text, workspace);
  if (!cursor) throw invalidField('cursor', 'cursor');
  return cursor;
}

function pageQuery({ status }: { status?: number | undefined }, limit: number, cursor: string | null) {
  return {
    ...(status !== undefined && { status: String(status) }),
    limit: String(limit),
    ...(cursor !== null && { cursor }),
  };
}
