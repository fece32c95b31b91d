import * as z from 'zod/mini';
import { ask, breakers, checkUrl, secrets, targets } from '#functions/webhooks/compose.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import type { JsonObject } from '#shared/base/json.ts';
import {
  createGraphHandler,
  type GraphDependencies,
  type GraphOperation,
} from '#shared/graph-paths/create-graph-handler.ts';
import { type FoundObject, numberOf } from '#shared/graph-paths/find-object.ts';
import type { UpstreamObjects } from '#shared/graph-paths/graph-objects-graph.ts';
import { GraphPathError } from '#shared/graph-paths/graph-path-error.ts';
import { readBody } from '#shared/graph-paths/read-input.ts';
import {
  type Callback,
  maxNumbers,
  type RegistrationContext,
  registerWebhook,
} from '#shared/graph-paths/register-webhook.ts';
import { parseFields } from '#shared/http/validation.ts';
import { queue } from '#shared/operations/compose.ts';
import { servePublic } from '#shared/operations/serve.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { graphDependencies } from './compose.ts';
import { graphRegister as contract } from './contracts.ts';

interface Dependencies extends GraphDependencies, Omit<RegistrationContext, 'now'> {
  /** Creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => UpstreamObjects;
}

const url = z.string().check(z.maxLength(255));
const verifyToken = z.optional(z.string().check(z.minLength(1), z.maxLength(255)));
const ofAccount = z.looseObject({ override_callback_uri: z.optional(url), verify_token: verifyToken });
/** Other members would change the number on the platform, such as its PIN. That is the operator's. */
const ofNumber = z.strictObject({
  messaging_product: z.optional(z.string()),
  webhook_configuration: z.optional(z.looseObject({ override_callback_uri: url, verify_token: verifyToken })),
});

/** Also the response to a request without an override: notifications go where the targets say, subscribed or not. */
const done = { success: true };

export const makeHandler = (dependencies: Dependencies) => {
  const { objects, upstream } = dependencies;

  const updateTemplate: GraphOperation<JsonObject> = {
    read: readBody,
    run: ({ input, object, path }) => upstream(object.workspace).change(object.id, path.edge, input),
  };

  const configureNumber: GraphOperation<Callback | undefined> = {
    read: (event) => parseFields(ofNumber, readBody(event)).webhook_configuration,
    async run({ user, object, input }) {
      if (input) await registerWebhook([numberOf(object)], user, input, dependencies);
      return done;
    },
  };

  const subscribeApp: GraphOperation<Callback | undefined> = {
    read(event) {
      const { override_callback_uri, verify_token } = parseFields(ofAccount, readBody(event));
      return override_callback_uri === undefined ? undefined : { override_callback_uri, verify_token };
    },
    async run({ user, object, input }) {
      if (input) await registerWebhook(await numbersOf(object), user, input, dependencies);
      return done;
    },
  };

  /** The numbers of the account in the workspaces that the user owns. */
  async function numbersOf({ id, memberships }: FoundObject): Promise<[PhoneNumber, ...PhoneNumber[]]> {
    const owned = memberships.filter(({ role }) => role === 'owner');
    const [first, ...others] = await objects.numbersIn(owned, maxNumbers + 1);
    if (first && others.length < maxNumbers) return [first, ...others];
    const fault = first
      ? `more than ${maxNumbers} numbers: register the callback for each of them`
      : 'no active number';
    throw new GraphPathError(`(#100) In your workspaces, the account ${id} has ${fault}.`, 400, 100);
  }

  return createGraphHandler('register', dependencies, { subscribeApp, configureNumber, updateTemplate });
};

export const start = servePublic(contract, makeHandler, {
  ...graphDependencies,
  targets,
  secrets,
  breakers,
  queue,
  checkUrl,
  ask,
});
