import { statusById } from '#shared/flows/catalogue.ts';
import { flowMembers, toFlowObject } from '#shared/flows/flow-object.ts';
import { readFlowPage } from '#shared/flows/flow-page.ts';
import { defaultPageLimit, pageLinks, requestCursor } from '#shared/http/page.ts';
import { pathOf } from '#shared/http/path.ts';
import { baseUrl } from '#shared/operations/compose.ts';
import { createHandler, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { contextFor, type FlowDependencies } from './compose.ts';
import { listFlows as contract } from './contracts.ts';

export const makeHandler = (dependencies: FlowDependencies) =>
  createHandler(contract, dependencies, async ({ workspace, query, language, requestId }) => {
    const limit = query.limit ?? defaultPageLimit;
    const from = requestCursor(query.cursor, workspace.id);
    const status = query.status === undefined ? undefined : statusById(query.status);
    const context = dependencies.contextFor(workspace, requestId);
    const { flows, more } = await readFlowPage(
      { workspace: workspace.id, status, from: from && { flow: from.item, towards: from.towards } },
      { limit, withJson: query.json ?? true },
      context,
    );
    const path = `${dependencies.baseUrl}${pathOf(contract.path, { workspace: workspace.id })}`;
    return ok({
      data: flows.map(({ flow, text }) =>
        text === undefined ? flowMembers(flow, language) : toFlowObject(flow, text, language),
      ),
      ...pageLinks(
        {
          path,
          list: workspace.id,
          filters: { status: query.status, json: query.json === false ? 'false' : undefined },
          limit,
          from,
        },
        { newest: flows[0]?.flow.id, oldest: flows.at(-1)?.flow.id, more },
      ),
    });
  });

export const start = serve(contract, makeHandler, { baseUrl, contextFor });
