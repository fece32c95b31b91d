import * as z from 'zod/mini';
import { foreignFlows } from '#functions/flows/compose.ts';
import { ask, breakers, checkUrl, secrets, targets } from '#functions/webhooks/compose.ts';
import type { JsonObject } from '#shared/base/json.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import {
  changeTemplate,
  createGraphHandler,
  type GraphOperation,
  type TemplateDependencies,
} from '#shared/graph-paths/create-graph-handler.ts';
import { type FoundObject, numberOf } from '#shared/graph-paths/find-object.ts';
import { GraphPathError } from '#shared/graph-paths/graph-errors.ts';
import { readBody } from '#shared/graph-paths/read-input.ts';
import { maxNumbers, type RegistrationContext, registerWebhook } from '#shared/graph-paths/register-webhook.ts';
import { parseFields } from '#shared/http/validation.ts';
import { queue } from '#shared/operations/compose.ts';
import { servePublic } from '#shared/operations/serve.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { graphDependencies } from './compose.ts';
import { graphRegister as contract } from './contracts.ts';

const url = z.string().check(z.maxLength(255));
const verifyToken = z.optional(z.string().check(z.minLength(1), z.maxLength(255)));
const ofAccount = z.looseObject({ override_callback_uri: z.optional(url), verify_token: verifyToken });
type Asked = z.infer<typeof ofAccount>;
/** Other members would change the number on the platform, such as its PIN. That is the operator's. */
const ofNumber = z.strictObject({
  messaging_product: z.optional(z.string()),
  webhook_configuration: z.optional(z.looseObject({ override_callback_uri: url, verify_token: verifyToken })),
});

export const makeHandler = (dependencies: TemplateDependencies & RegistrationContext) => {
  const { objects } = dependencies;

  /** The numbers of the account in the workspaces that the user owns. */
  async function numbersOf({ id, memberships }: FoundObject): Promise<PhoneNumber[]> {
    const owned = memberships.filter(({ role }) => role === 'owner');
    const { numbers, more } = await objects.numbersIn(owned, maxNumbers);
    if (numbers.length > 0 && !more) return numbers;
    const fault = more ? `more than ${maxNumbers} numbers: register each of them` : 'no active number';
    throw new GraphPathError(`In your workspaces, the account ${id} has ${fault}.`, 400, 100);
  }

  const register = (
    read: (body: JsonObject) => Asked | undefined,
    find: (object: FoundObject) => Promise<PhoneNumber[]>,
  ): GraphOperation<Asked | undefined> => ({
    read: (event) => read(readBody(event)),
    async run({ user, object, input: { override_callback_uri, verify_token } = {} }) {
      if (override_callback_uri !== undefined) {
        if (object.role !== 'owner') throw new ServiceError('workspace.not-owner');
        const callback = { override_callback_uri, verify_token };
        await registerWebhook(await find(object), user, callback, dependencies);
      }
      // Without an override, notifications go where the targets say, subscribed or not.
      return { success: true };
    },
  });

  return createGraphHandler('register', dependencies, {
    subscribeApp: register((body) => parseFields(ofAccount, body), numbersOf),
    configureNumber: register(
      (body) => parseFields(ofNumber, body).webhook_configuration,
      async (object) => [numberOf(object)],
    ),
    updateTemplate: changeTemplate(dependencies),
  });
};

export const start = servePublic(contract, makeHandler, {
  ...graphDependencies,
  foreignFlows,
  targets,
  secrets,
  breakers,
  queue,
  checkUrl,
  ask,
});
