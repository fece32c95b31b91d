import type { Command } from '@commander-js/extra-typings';
import type { Workspace } from '#shared/accounts/workspace.ts';
import type { Actions } from '../command-actions.ts';
import { credentialsView, readValues, removeVerifyToken, setCredentials } from '../credentials/set-credentials.ts';
import { findWorkspace } from '../lookup.ts';
import type { Service } from '../service.ts';
import { Rejection } from '../terminal/errors.ts';
import { setCommand } from '../terminal/hints.ts';
import { uuid } from '../terminal/parameters.ts';
import { processTerminal } from '../terminal/terminal.ts';

export function addUpstreamCommands(program: Command, { onService, removing }: Actions): void {
  const group = program
    .command('upstream')
    .description('Manages the credentials for the WhatsApp platform: access token, app secret and verify token.');

  group
    .command('set')
    .description(
      'Asks for credentials and has the platform check them before it stores them. What is empty stays as it is. ' +
        'A script gives JSON (access_token, app_secret, verify_token) on standard input.',
    )
    .option('--workspace <workspace>', 'id of the workspace whose own credentials they are', uuid)
    .option('--generate-verify-token', 'make a new verify token; the first one is always made')
    .option('--show-verify-token', 'show the verify token that is made; "connect" sends it to the platform anyway')
    .option('--drop-former', 'no longer accept events that are signed with a former app secret')
    .option('--unchecked', 'do not ask the platform whether the values are right')
    .action(
      onService(async (service, { workspace, ...options }) => {
        const owner = workspace === undefined ? undefined : await findWorkspace(service, workspace);
        return setCredentials(service, owner, options, processTerminal(true));
      }),
    );

  group
    .command('show')
    .description('Shows which credentials are stored, without the values, and which workspaces have some of their own.')
    .option('--workspace <workspace>', 'id of the workspace whose own credentials to show', uuid)
    .action(
      onService(async (service, { workspace }) => {
        const owner = workspace === undefined ? undefined : await findWorkspace(service, workspace);
        const { secret, credentials } = service.upstream(owner);
        // Fails if they are malformed: the service ignores them, even if a person could still read some of the values.
        await credentials();
        const stored = await secret.read();
        const view = credentialsView(secret.name, readValues(stored?.values));
        if (owner === undefined) return { value: { ...view, workspaces_with_their_own: await ownApps(service) } };
        return { value: { workspace: owner.id, ...view }, note: noteOn(owner, stored !== undefined, service) };
      }),
    );

  removing(
    group
      .command('remove')
      .description("Removes a workspace's own credentials. It then uses those of the deployment.")
      .requiredOption('--workspace <workspace>', 'id of the workspace', uuid),
    async (service, { workspace }) => {
      const owner = await findWorkspace(service, workspace);
      const { secret } = service.upstream(owner);
      const stored = await secret.read();
      if (!owner.own_credentials && stored === undefined) {
        throw new Rejection(`Workspace ${workspace} has no credentials of its own.`);
      }
      const values = readValues(stored?.values);
      return {
        warning: `This deletes the secret ${secret.name}. Workspace ${workspace} then uses those of the deployment.`,
        removes: {
          access_tokens: values.access_token === undefined ? 0 : 1,
          app_secrets: values.app_secrets.length,
          verify_tokens: values.verify_token === undefined ? 0 : 1,
        },
        async carryOut() {
          // The secret is last, so that the command can be repeated after a failure.
          await service.workspaces.setOwnCredentials(workspace, false);
          await removeVerifyToken(service, values.verify_token);
          if (stored !== undefined) await secret.delete();
          return { value: { workspace, own_credentials: false }, note: 'Removed.' };
        },
      };
    },
  );
}

function noteOn({ id, own_credentials }: Workspace, isStored: boolean, { hint }: Service): string {
  if (!own_credentials) return 'The workspace has no credentials of its own. It uses those of the deployment.';
  if (isStored) return 'What it lacks, it uses of the deployment.';
  return `The secret does not exist, and nothing takes its place. To store the credentials: ${setCommand(hint, id)}`;
}

async function ownApps({ listOwnApps }: Service) {
  return (await listOwnApps()).map(({ id, name, waba_id }) => ({ id, name, waba_id }));
}
