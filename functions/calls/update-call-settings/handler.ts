import { log } from '#shared/base/log/logger.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { UpstreamCallSettings } from '#shared/domain/calls/upstream-call-settings.ts';
import type { FieldError } from '#shared/domain/errors/field-error.ts';
import { callSettings } from '#shared/http/calls/call-settings.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { callSettingsClient } from '#shared/runtime/providers/clients.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  /** Creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => Pick<UpstreamCallSettings, 'change'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, user, body }) => {
      await dependencies.upstream(workspace).change(number.phone_number_id, body);
      log('info', 'call-settings.changed', { number: number.id, user, members: changedMembers(body) });
      return ok({ success: true });
    },
    { explain: explainCallError, checkBody: settingsFaults },
  );

export const handler = serve(contract, makeHandler, { access, upstream: callSettingsClient });

/** The names of the members that Meta documents. A client may have put any others into the body. */
const changedMembers = (body: object) =>
  Object.keys(body)
    .filter((name) => Object.hasOwn(callSettings.shape, name))
    .join(',');

/** The upstream has the settings in `calling`. It would ignore another one inside, and with it the whole request. */
function settingsFaults({ calling }: Readonly<Record<string, unknown>>): FieldError[] {
  return calling === undefined ? [] : [{ field: 'calling', rule: 'unknown_member', values: { name: 'calling' } }];
}
