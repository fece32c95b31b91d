import type { Workspace } from '#shared/accounts/workspace.ts';
import { isText, type JsonObject, own } from '#shared/base/json.ts';
import {
  createGraphHandler,
  type GraphDependencies,
  type GraphOperation,
} from '#shared/graph-paths/create-graph-handler.ts';
import { remember } from '#shared/graph-paths/find-object.ts';
import type { UpstreamObjects } from '#shared/graph-paths/graph-objects-graph.ts';
import { readBody } from '#shared/graph-paths/read-input.ts';
import { servePublic } from '#shared/operations/serve.ts';
import { graphDependencies } from './compose.ts';
import { graphChange as contract } from './contracts.ts';

interface Dependencies extends GraphDependencies {
  /** Creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => UpstreamObjects;
}

export const makeHandler = (dependencies: Dependencies) => {
  const { upstream } = dependencies;

  const updateProfile: GraphOperation<JsonObject> = {
    read: readBody,
    run: ({ input, object, path }) =>
      upstream(object.workspace).change(object.id, path.edge, { ...input, messaging_product: 'whatsapp' }),
  };

  const createTemplate: GraphOperation<JsonObject> = {
    read: readBody,
    async run({ input, object, path }) {
      const response = await upstream(object.workspace).change(object.id, path.edge, input);
      const id = own(response, 'id');
      if (isText(id)) await remember(object.id, [id], dependencies);
      return response;
    },
  };

  const deleteTemplate: GraphOperation<undefined> = {
    run: ({ query, object, path }) => upstream(object.workspace).remove(object.id, path.edge, query),
  };

  return createGraphHandler('change', dependencies, { createTemplate, deleteTemplate, updateProfile });
};

export const start = servePublic(contract, makeHandler, graphDependencies);
