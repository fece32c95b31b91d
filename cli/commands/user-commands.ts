import type { Command } from '@commander-js/extra-typings';
import { createToken, hashToken, isExpired, type TokenRecord } from '#shared/accounts/token.ts';
import { isLastOwner, type User } from '#shared/accounts/workspace.ts';
import { newId } from '#shared/base/ids.ts';
import { timestamp } from '#shared/base/time.ts';
import type { Actions } from '../command-actions.ts';
import { findUser } from '../lookup.ts';
import type { Service } from '../service.ts';
import { Rejection, UsageError } from '../terminal/errors.ts';
import { line, moment, type TokenReference, tokenReference, uuid } from '../terminal/parameters.ts';
import type { Row } from '../terminal/render.ts';
import { endMembership, registrationsOf } from '../webhooks.ts';

export function addUserCommands(program: Command, { onService, removing }: Actions): void {
  const group = program.command('user').description('Manages users: the people and programs that call the API.');

  group
    .command('create')
    .description('Creates a user: a person or a program that will call the API.')
    .requiredOption('--name <name>', 'the name to show in lists', line())
    .action(
      onService(async ({ users, now, hint }, { name }) => {
        const user = { id: newId(), name, created_at: now() };
        await users.create(user);
        return { value: userView(user), note: `To give it access: ${hint`token create --user ${user.id}`}` };
      }),
    );

  group
    .command('list')
    .description('Lists the users.')
    .action(onService(async ({ users }) => ({ value: (await users.list()).map(userView) })));

  group
    .command('rename')
    .description('Changes the name of a user.')
    .argument('<user>', 'id of the user', uuid)
    .requiredOption('--name <name>', 'the new name', line())
    .action(
      onService(async (service, user, { name }) => {
        await service.users.rename(user, name);
        return { value: userView(await findUser(service, user)) };
      }),
    );

  removing(
    group
      .command('delete')
      .description(
        "Deletes a user, its tokens, its memberships and the webhooks that it has registered on Graph's paths.",
      )
      .argument('<user>', 'id of the user', uuid),
    async (service, id) => {
      const user = await findUser(service, id);
      const workspaces = await workspacesOf(service, id);
      const owned = workspaces.find(({ isLastOwner }) => isLastOwner);
      if (owned) {
        const add = service.hint`member add ${owned.workspace} USER --owner`;
        throw new Rejection(`User ${id} is the last owner of workspace ${owned.workspace}. To add another: ${add}`);
      }
      const tokens = await service.tokens.listByUser(id);
      const registered = await Promise.all(workspaces.map(({ workspace }) => registrationsOf(service, workspace, id)));
      const registrations = registered.flat();
      return {
        warning: `This deletes user ${id} (${user.name}).`,
        removes: {
          tokens: tokens.length,
          memberships: workspaces.length,
          webhooks_registered_by_the_user: registrations.length,
        },
        async carryOut() {
          // Delete the user last, so that the command can be repeated after a failure.
          for (const { hash } of tokens) await service.tokens.revoke(hash);
          for (const { workspace } of workspaces) await endMembership(service, workspace, id);
          await service.users.delete(id);
          return { value: userView(user), note: 'Deleted.' };
        },
      };
    },
  );
}

/**
 * Reads every workspace, because the index of memberships lags behind and may lack old ones. Users are rarely deleted.
 */
async function workspacesOf({ workspaces }: Service, user: string) {
  const all = await workspaces.list();
  const found = await Promise.all(
    all.map(async ({ id }) => {
      const members = await workspaces.listMembers(id);
      const isMember = members.some((member) => member.user === user);
      return isMember ? [{ workspace: id, isLastOwner: isLastOwner(members, user) }] : [];
    }),
  );
  return found.flat();
}

const userView = ({ id, name, created_at }: User): Row => ({ id, name, created_at: timestamp(created_at) });

export function addTokenCommands(program: Command, { onService, removing }: Actions): void {
  const group = program.command('token').description('Manages access tokens.');

  group
    .command('create')
    .description('Creates an access token and prints it. It cannot be shown again.')
    .requiredOption('--user <user>', 'id of the user whom the token identifies', uuid)
    .option('--label <text>', 'what the token is for, to recognise it in a list', line())
    .option('--expires <when>', 'days (90d), hours (12h) or a date (2027-01-31, at 00:00 UTC); default: never', moment)
    .action(
      onService(async (service, { user, label = '', expires }) => {
        await findUser(service, user);
        const now = service.now();
        const token = createToken();
        const record: TokenRecord = {
          hash: hashToken(token),
          user,
          label,
          created_at: now,
          ...(expires && { expires_at: expires(now) }),
        };
        if (isExpired(record, now)) throw new Rejection('The token would be expired from the start.');
        await service.tokens.create(record);
        return {
          value: {
            token,
            hash: record.hash,
            user,
            label,
            created_at: timestamp(now),
            expires_at: record.expires_at === undefined ? null : timestamp(record.expires_at),
          },
          note: 'Store the token now. It is shown only once, and the service keeps only its hash.',
        };
      }),
    );

  group
    .command('list')
    .description('Lists the tokens of a user, each by the beginning of its hash.')
    .requiredOption('--user <user>', 'id of the user', uuid)
    .action(
      onService(async (service, { user }) => {
        await findUser(service, user);
        const now = service.now();
        return { value: (await service.tokens.listByUser(user)).map((token) => tokenView(token, now)) };
      }),
    );

  removing(
    group
      .command('revoke')
      .description('Revokes a token: the service rejects the next request that carries it.')
      .argument('<token>', 'the token, its hash, or at least the first 8 digits of its hash', tokenReference)
      .option('--user <user>', 'id of its user; needed with only the beginning of a hash', uuid),
    async (service, reference, { user }) => {
      const token = await findToken(service, reference, user);
      const view = tokenView(token, service.now());
      const label = token.label === '' ? '' : ` (${token.label})`;
      return {
        warning: `This revokes the ${view.state} token ${view.hash_prefix}${label} of user ${token.user}.`,
        removes: { tokens: 1 },
        async carryOut() {
          await service.tokens.revoke(token.hash);
          return { value: { ...view, user: token.user, state: 'revoked' } };
        },
      };
    },
  );
}

async function findToken(service: Service, { hash, complete }: TokenReference, user?: string): Promise<TokenRecord> {
  const { tokens, hint } = service;
  if (!complete && user === undefined) throw new UsageError('The beginning of a hash needs --user <user>.');
  const candidates = user === undefined ? [await tokens.get(hash)] : await tokens.listByUser(user);
  const [token, another] = candidates.filter((candidate) => candidate?.hash.startsWith(hash));
  if (token === undefined) {
    const list = user === undefined ? hint`token list --user USER` : hint`token list --user ${user}`;
    throw new Rejection(`There is no such token. To list the tokens of a user: ${list}`);
  }
  if (another !== undefined) {
    throw new Rejection(`Several tokens of the user begin with ${hash}. Give more digits of the hash.`);
  }
  return token;
}

/** Leaves out the token itself: the service keeps only its hash. */
const tokenView = (token: TokenRecord, now: number): Row => ({
  hash_prefix: token.hash.slice(0, 12),
  label: token.label,
  created_at: timestamp(token.created_at),
  expires_at: token.expires_at === undefined ? null : timestamp(token.expires_at),
  state: isExpired(token, now) ? 'expired' : 'active',
});
