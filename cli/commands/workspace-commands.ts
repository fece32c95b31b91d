import { Argument, type Command } from '@commander-js/extra-typings';
import { isLastOwner, permitsCalls, type Workspace } from '#shared/accounts/workspace.ts';
import { newId } from '#shared/base/ids.ts';
import { timestamp } from '#shared/base/time.ts';
import type { Actions } from '../command-actions.ts';
import { findUser, findWorkspace } from '../lookup.ts';
import type { Service } from '../service.ts';
import { Rejection, UsageError } from '../terminal/errors.ts';
import { line, platformId, uuid } from '../terminal/parameters.ts';
import type { Row } from '../terminal/render.ts';
import { countWebhooks, endMembership, registrationsOf } from '../webhooks.ts';
import { numberView } from './number-commands.ts';

export function addWorkspaceCommands(program: Command, { onService, removing }: Actions): void {
  const group = program.command('workspace').description('Manages workspaces.');

  group
    .command('create')
    .description('Creates a workspace.')
    .requiredOption('--name <name>', 'the name of the workspace', line())
    .option('--waba-id <digits>', 'id of its WhatsApp Business Account; Flows need one', platformId)
    .option('--owner <user>', 'id of the user who owns it', uuid)
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
    .action(onService(async ({ workspaces }) => ({ value: (await workspaces.list()).map(workspaceView) })));

  group
    .command('show')
    .description('Shows a workspace, its members and its numbers.')
    .argument('<workspace>', 'id of the workspace', uuid)
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
      .option('--none', 'remove the account: Flows can then be read, but not created or changed'),
    async (service, id, { wabaId, none = false }) => {
      if (none === (wabaId !== undefined)) throw new UsageError('Give either --waba-id <digits> or --none.');
      const { name, waba_id: previous } = await findWorkspace(service, id);
      const isLost = previous !== null && previous !== (wabaId ?? null);
      return {
        ...(isLost && {
          warning: `This takes business account ${previous}, with its events and Flows, from workspace ${id} (${name}).`,
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
      .argument('<workspace>', 'id of the workspace', uuid),
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
          const note = `Deleted, but not the secret with its Flow keys, if any: its name ends in flow-keys/${id}.`;
          return { value: workspaceView(workspace), note };
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
    const command = hint`upstream remove --workspace ${workspace}`;
    throw new Rejection(`Workspace ${workspace} still has credentials of its own. Remove them first: ${command}`);
  }
  const [number] = await numbers.listByWorkspace(workspace);
  if (number) {
    const command = hint`number delete ${number.id}`;
    throw new Rejection(`Workspace ${workspace} still has the number ${number.id}. Delete it first: ${command}`);
  }
  for await (const { id, name, status } of flows.list({ workspace })) {
    if (status === 'DEPRECATED') continue;
    const route = `DELETE /v2/workspaces/${workspace}/flows/${id}`;
    throw new Rejection(
      `Workspace ${workspace} still has the Flow ${id} (${name}). Delete it first by the API: ${route}`,
    );
  }
}

const workspaceView = (workspace: Workspace): Row => ({
  id: workspace.id,
  name: workspace.name,
  waba_id: workspace.waba_id,
  calling_enabled: permitsCalls(workspace),
  created_at: timestamp(workspace.created_at),
});

export function addMemberCommands(program: Command, { onService, removing }: Actions): void {
  const group = program.command('member').description('Manages the members of workspaces.');

  group
    .command('add')
    .description('Makes a user a member or an owner of a workspace, or changes the role.')
    .argument('<workspace>', 'id of the workspace', uuid)
    .argument('<user>', 'id of the user', uuid)
    .option('--owner', 'make the user an owner, who may also change Flows; a member may only read them')
    .action(
      onService(async (service, workspace, user, { owner = false }) => {
        await findWorkspace(service, workspace);
        const { name } = await findUser(service, user);
        if (!owner) await keepAnOwner(service, workspace, user);
        const role = owner ? 'owner' : 'member';
        await service.workspaces.putMember({ workspace, user, role });
        return { value: { workspace, user, name, role } };
      }),
    );

  removing(
    group
      .command('remove')
      .description('Removes a user from a workspace.')
      .argument('<workspace>', 'id of the workspace', uuid)
      .argument('<user>', 'id of the user', uuid),
    async (service, workspace, user) => {
      const { name } = await findWorkspace(service, workspace);
      await keepAnOwner(service, workspace, user);
      const member = (await memberViews(service, workspace)).find((each) => each.user === user);
      if (!member) throw new Rejection(`User ${user} is not a member of workspace ${workspace}.`);
      const registrations = await registrationsOf(service, workspace, user);
      return {
        warning: `This removes ${member.name ?? user} (${member.role}) from workspace ${workspace} (${name}).`,
        removes: { memberships: 1, webhooks_registered_by_the_user: registrations.length },
        async carryOut() {
          await endMembership(service, workspace, user);
          return { value: { workspace, user }, note: 'Removed. The user no longer has access to this workspace.' };
        },
      };
    },
  );

  group
    .command('list')
    .description('Lists the members of a workspace and their roles.')
    .argument('<workspace>', 'id of the workspace', uuid)
    .action(
      onService(async (service, workspace) => {
        await findWorkspace(service, workspace);
        return { value: await memberViews(service, workspace) };
      }),
    );
}

/** Rejects a change that would leave a workspace without an owner. */
async function keepAnOwner({ workspaces, hint }: Service, workspace: string, leaving: string): Promise<void> {
  if (isLastOwner(await workspaces.listMembers(workspace), leaving)) {
    const command = hint`member add ${workspace} USER --owner`;
    throw new Rejection(`User ${leaving} is the last owner. Make another user an owner first: ${command}`);
  }
}

async function memberViews({ workspaces, users }: Service, workspace: string): Promise<Row[]> {
  const members = await workspaces.listMembers(workspace);
  return Promise.all(
    members.map(async ({ user, role }) => ({ user, name: (await users.get(user))?.name ?? null, role })),
  );
}
