import { isText, type JsonObject, own } from '#shared/base/json.ts';
import {
  createGraphHandler,
  type GraphDependencies,
  type GraphOperation,
  passOn,
} from '#shared/graph-paths/create-graph-handler.ts';
import { remember } from '#shared/graph-paths/find-object.ts';
import { readBody } from '#shared/graph-paths/read-input.ts';
import { servePublic } from '#shared/operations/serve.ts';
import { graphDependencies } from './compose.ts';
import { graphChange as contract } from './contracts.ts';

export const makeHandler = (dependencies: GraphDependencies) => {
  const { change, remove } = passOn(dependencies.upstream);

  const createTemplate: GraphOperation<JsonObject> = {
    ...change,
    async run(request) {
      const response = await change.run(request);
      const id = own(response, 'id');
      if (isText(id)) await remember(request.object.id, [id], dependencies);
      return response;
    },
  };

  const updateProfile: GraphOperation<JsonObject> = {
    read: (event) => ({ ...readBody(event), messaging_product: 'whatsapp' }),
    run: change.run,
  };

  return createGraphHandler('change', dependencies, { createTemplate, deleteTemplate: remove, updateProfile });
};

export const start = servePublic(contract, makeHandler, graphDependencies);
