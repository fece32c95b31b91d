import { Argument, type Command } from '@commander-js/extra-typings';
import { newId } from '#shared/base/ids.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { Actions } from '../actions.ts';
import { countWebhooks, findUser, findWorkspace } from '../lookup.ts';
import type { Service } from '../service.ts';
import { Rejection, UsageError } from '../terminal/errors.ts';
import { example, exampleIds } from '../terminal/help.ts';
import { line, platformId, uuid } from '../terminal/parameters.ts';
import { memberViews, numberView, workspaceView } from '../views.ts';

export function addWorkspaceCommands(program: Command, { onService, removing }: Actions): void {
  const group = program.command('workspace').description('Manages workspaces.');

  group
    .command('create')
    .description('Creates a workspace.')
    .requiredOption('--name <name>', 'the name of the workspace', line())
    .option('--waba-id <digits>', 'id of its WhatsApp Business Account; Flows need one', platformId)
    .option('--owner <user>', 'id of the user who owns it', uuid)
    .addHelpText('after', example("workspace create --name 'Example' --waba-id 102290129340398"))
    .action(
      onService(async (service, { name, wabaId = null, owner }) => {
        const workspace: Workspace = { id: newId(), name, waba_id: wabaId, created_at: service.now() };
        if (owner !== undefined) {
          await findUser(service, owner);
          // The member comes first: if the second write fails, no workspace exists without its owner.
          await service.workspaces.putMember({ workspace: workspace.id, user: owner, role: 'owner' });
        }
        await service.workspaces.create(workspace);
        const value = workspaceView(workspace);
        return owner === undefined
          ? { value, note: `It has no owner yet. To add one: ${service.hint`member add ${workspace.id} USER --owner`}` }
          : { value };
      }),
    );

  group
    .command('list')
    .description('Lists the workspaces.')
    .addHelpText('after', example('workspace list'))
    .action(onService(async ({ workspaces }) => ({ value: (await workspaces.list()).map(workspaceView) })));

  group
    .command('show')
    .description('Shows a workspace, its members and its numbers.')
    .argument('<workspace>', 'id of the workspace', uuid)
    .addHelpText('after', example(`workspace show ${exampleIds.workspace}`))
    .action(
      onService(async (service, id) => {
        const workspace = await findWorkspace(service, id);
        const members = await memberViews(service, id);
        const numbers = (await service.numbers.listByWorkspace(id)).map(numberView);
        return { value: { ...workspaceView(workspace), members, numbers } };
      }),
    );

  removing(
    group
      .command('set-waba')
      .description('Sets or removes the WhatsApp Business Account of a workspace.')
      .argument('<workspace>', 'id of the workspace', uuid)
      .option('--waba-id <digits>', 'id of the account', platformId)
      .option('--none', 'remove the account: Flows can then be read, but not created or changed')
      .addHelpText('after', example(`workspace set-waba ${exampleIds.workspace} --waba-id 102290129340398`)),
    async (service, id, { wabaId, none = false }) => {
      if (none === (wabaId !== undefined)) throw new UsageError('Give either --waba-id <digits> or --none.');
      const { name, waba_id: previous } = await findWorkspace(service, id);
      const isLost = previous !== null && previous !== (wabaId ?? null);
      return {
        ...(isLost && {
          warning:
            `This takes business account ${previous} from workspace ${id} (${name}), which then gets none of its ` +
            'events and cannot change the Flows that it has there.',
        }),
        removes: {
          business_accounts: isLost ? 1 : 0,
          flows_that_stay_there: isLost ? await countFlows(service, id) : 0,
        },
        async carryOut() {
          await service.workspaces.setBusinessAccount(id, wabaId ?? null);
          return { value: workspaceView(await findWorkspace(service, id)) };
        },
      };
    },
  );

  group
    .command('calling')
    .description('Turns calls for all numbers of a workspace on or off. Each number has a switch of its own as well.')
    .argument('<workspace>', 'id of the workspace', uuid)
    .addArgument(new Argument('<state>', 'whether calls are on').choices(['on', 'off']))
    .addHelpText('after', example(`workspace calling ${exampleIds.workspace} off`))
    .action(
      onService(async (service, id, state) => {
        await service.workspaces.setCalling(id, state === 'on');
        return { value: workspaceView(await findWorkspace(service, id)) };
      }),
    );

  group
    .command('rename')
    .description('Changes the name of a workspace.')
    .argument('<workspace>', 'id of the workspace', uuid)
    .requiredOption('--name <name>', 'the new name', line())
    .addHelpText('after', example(`workspace rename ${exampleIds.workspace} --name 'New name'`))
    .action(
      onService(async (service, id, { name }) => {
        await service.workspaces.rename(id, name);
        return { value: workspaceView(await findWorkspace(service, id)) };
      }),
    );

  removing(
    group
      .command('delete')
      .description('Deletes a workspace that has no numbers, with its members and its deprecated Flows.')
      .argument('<workspace>', 'id of the workspace', uuid)
      .addHelpText('after', example(`workspace delete ${exampleIds.workspace}`)),
    async (service, id) => {
      const workspace = await findWorkspace(service, id);
      await rejectInUse(service, id);
      return {
        warning: `This deletes workspace ${id} (${workspace.name}).`,
        removes: {
          memberships: (await service.workspaces.listMembers(id)).length,
          deprecated_flows: await countFlows(service, id),
          webhooks: await countWebhooks(service, id),
          held_notifications: await service.countHeld(id),
        },
        async carryOut() {
          await service.workspaces.delete(id);
          return {
            value: workspaceView(workspace),
            note:
              'Deleted. If the workspace had Flow keys, their secret still exists (its name ends in ' +
              `flow-keys/${id}). Delete it in Secrets Manager if you no longer need it.`,
          };
        },
      };
    },
  );
}

async function countFlows({ flows }: Service, workspace: string): Promise<number> {
  let count = 0;
  for await (const _ of flows.list({ workspace })) count++;
  return count;
}

/** Rejects the deletion of a workspace that still has credentials of its own, numbers or Flows. */
async function rejectInUse({ workspaces, numbers, flows, hint }: Service, workspace: string): Promise<void> {
  if ((await workspaces.get(workspace))?.own_credentials) {
    throw new Rejection(
      `Workspace ${workspace} still has credentials of its own. Remove them first: ${hint`upstream remove --workspace ${workspace}`}`,
    );
  }
  const [number] = await numbers.listByWorkspace(workspace);
  if (number) {
    throw new Rejection(
      `Workspace ${workspace} still has the number ${number.id} (${number.display_phone_number}). ` +
        `Delete it first: ${hint`number delete ${number.id}`}`,
    );
  }
  for await (const { id, name, status } of flows.list({ workspace })) {
    if (status === 'DEPRECATED') continue;
    throw new Rejection(
      `Workspace ${workspace} still has the Flow ${id} (${name}), which also exists on the platform. Delete it ` +
        `first through the API (DELETE /v2/workspaces/${workspace}/flows/${id}); a published Flow becomes deprecated.`,
    );
  }
}
