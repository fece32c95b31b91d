import { foreignFlows } from '#functions/flows/compose.ts';
import { isText, type JsonObject, own } from '#shared/base/json.ts';
import {
  changeTemplate,
  createGraphHandler,
  type GraphOperation,
  passOn,
  type TemplateDependencies,
} from '#shared/graph-paths/create-graph-handler.ts';
import { remember } from '#shared/graph-paths/find-object.ts';
import { readBody } from '#shared/graph-paths/read-input.ts';
import { servePublic } from '#shared/operations/serve.ts';
import { graphDependencies } from './compose.ts';
import { graphChange as contract } from './contracts.ts';

export const makeHandler = (dependencies: TemplateDependencies) => {
  const { change, remove } = passOn(dependencies.upstream);

  const template = changeTemplate(dependencies);

  const createTemplate: GraphOperation<JsonObject> = {
    ...template,
    async run(request) {
      const response = await template.run(request);
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

export const start = servePublic(contract, makeHandler, { ...graphDependencies, foreignFlows });
