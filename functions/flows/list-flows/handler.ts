import { statusById } from '#shared/domain/flows/catalogue.ts';
import { readFlowPage } from '#shared/domain/flows/list-flows.ts';
import { pathOf } from '#shared/http/contract/path.ts';
import type { FlowDependencies } from '#shared/http/flows/flow-dependencies.ts';
import { flowMembers, toFlowObject } from '#shared/http/flows/flow-object.ts';
import { requestCursor } from '#shared/http/paging/cursor.ts';
import { pageLinks } from '#shared/http/paging/page.ts';
import { defaultPageLimit } from '#shared/http/paging/page-schemas.ts';
import { createHandler } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { baseUrl } from '#shared/runtime/providers/environment.ts';
import { contextFor } from '#shared/runtime/providers/flow-context.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { access, baseUrl, contextFor });
