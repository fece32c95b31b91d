import { ask, breakers, checkUrl, secrets, targets } from '#functions/webhooks/compose.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { isText, type JsonObject, own } from '#shared/base/json.ts';
import type { TargetContext } from '#shared/delivery/change-target.ts';
import {
  createGraphHandler,
  type GraphDependencies,
  type GraphOperation,
} from '#shared/graph-paths/create-graph-handler.ts';
import { type FoundObject, remember } from '#shared/graph-paths/find-object.ts';
import type { UpstreamObjects } from '#shared/graph-paths/graph-objects-graph.ts';
import { readBody } from '#shared/graph-paths/read-input.ts';
import { readOverride, registerWebhook } from '#shared/graph-paths/register-webhook.ts';
import { credentialsOf, queue } from '#shared/operations/compose.ts';
import { servePublic } from '#shared/operations/serve.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { describeMedia, objectClient, objects, upstreamBaseUrl } from './compose.ts';
import { graphChange as contract } from './contracts.ts';

/** The most numbers for which one request registers a webhook. */
const maxNumbersRegistered = 20;

interface Dependencies extends GraphDependencies, Omit<TargetContext, 'now'> {
  /** Creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => UpstreamObjects;
}

export const makeHandler = (dependencies: Dependencies) => {
  const { upstream } = dependencies;

  const change = (members: object = {}): GraphOperation<JsonObject> => ({
    read: readBody,
    run: ({ input, object, path }) => upstream(object.workspace).change(object.id, path.edge, { ...input, ...members }),
  });

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

  /** The user's numbers of the object: the number itself, or those of the account in workspaces that the user owns. */
  async function numbersOf({ number, memberships }: FoundObject): Promise<readonly PhoneNumber[]> {
    if (number) return [number];
    const owned = memberships.filter(({ role }) => role === 'owner');
    return dependencies.objects.numbersIn(owned, maxNumbersRegistered);
  }

  const register: GraphOperation<ReturnType<typeof readOverride>> = {
    read: (event) => readOverride(event.body ? readBody(event) : {}),
    async run({ user, object, input }) {
      const numbers = input ? await numbersOf(object) : [];
      if (input && numbers.length > 0) await registerWebhook(user, numbers, input, dependencies);
      return { success: true };
    },
  };

  return createGraphHandler('change', dependencies, {
    subscribeApp: register,
    configureNumber: register,
    createTemplate,
    deleteTemplate,
    updateTemplate: change(),
    updateProfile: change({ messaging_product: 'whatsapp' }),
  });
};

export const start = servePublic(contract, makeHandler, {
  objects,
  credentialsOf,
  upstreamBaseUrl,
  upstream: objectClient,
  media: describeMedia,
  targets,
  secrets,
  breakers,
  queue,
  checkUrl,
  ask,
});
