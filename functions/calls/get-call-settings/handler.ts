import { log } from '#shared/base/log/logger.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { UpstreamCallSettings } from '#shared/domain/calls/upstream-call-settings.ts';
import type { FieldError } from '#shared/domain/errors/field-error.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { handlerByRoute } from '#shared/http/wrapper/handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { callSettingsClient } from '#shared/runtime/providers/clients.ts';
import { serve } from '#shared/runtime/serve.ts';
import { callSettings, changeContract, contract } from './contract.ts';

const contracts = [contract, changeContract];

interface Dependencies extends WrapperDependencies {
  /** Creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => UpstreamCallSettings;
}

export const makeHandler = (dependencies: Dependencies) =>
  handlerByRoute([contract, makeRead(dependencies)], [changeContract, makeChange(dependencies)]);

export const handler = serve(contracts, makeHandler, { access, upstream: callSettingsClient });

/** The names of the members that Meta documents. A client may have put any others into the body. */
const changedMembers = (body: object) =>
  Object.keys(body)
    .filter((name) => Object.hasOwn(callSettings.shape, name))
    .join(',');

/** The upstream has the settings in `calling`. It would ignore another one inside, and with it the whole request. */
const settingsFaults = ({ calling }: Readonly<Record<string, unknown>>): FieldError[] =>
  calling === undefined ? [] : [{ field: 'calling', rule: 'unknown_member', values: {} }];

function makeRead(dependencies: Dependencies) {
  return createHandler(
    contract,
    dependencies,
    async ({ number, workspace }) => ok(await dependencies.upstream(workspace).read(number.phone_number_id)),
    { explain: explainCallError },
  );
}

function makeChange(dependencies: Dependencies) {
  return createHandler(
    changeContract,
    dependencies,
    async ({ number, workspace, user, body }) => {
      await dependencies.upstream(workspace).change(number.phone_number_id, body);
      log('info', 'call-settings.changed', { number: number.id, user, members: changedMembers(body) });
      return ok({ success: true });
    },
    { explain: explainCallError, checkBody: settingsFaults },
  );
}
