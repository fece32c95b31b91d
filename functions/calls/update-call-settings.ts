import type { FieldError } from '#shared/base/field-error.ts';
import { log } from '#shared/base/logger.ts';
import { explainCallError } from '#shared/calls/call-errors.ts';
import { callSettings } from '#shared/calls/schema.ts';
import { createHandler, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { type CallSettingsDependencies, callSettingsClient } from './compose.ts';
import { updateCallSettings as contract } from './contracts.ts';

export const makeHandler = (dependencies: CallSettingsDependencies) =>
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

export const start = serve(contract, makeHandler, { upstream: callSettingsClient });

/** The names of the members that Meta documents. A client may have put any others into the body. */
const changedMembers = (body: object) =>
  Object.keys(body)
    .filter((name) => Object.hasOwn(callSettings.shape, name))
    .join(',');

/** The upstream has the settings in `calling`. It would ignore another one inside, and with it the whole request. */
function settingsFaults({ calling }: Readonly<Record<string, unknown>>): FieldError[] {
  return calling === undefined ? [] : [{ field: 'calling', rule: 'unknown_member', values: { name: 'calling' } }];
}
