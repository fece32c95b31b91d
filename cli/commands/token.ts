import type { Command } from '@commander-js/extra-typings';
import { timestamp } from '#shared/base/time/clock.ts';
import { createToken, hashToken, isExpired, type TokenRecord } from '#shared/domain/accounts/token.ts';
import type { Actions } from '../actions.ts';
import { findUser } from '../lookup.ts';
import type { Service } from '../service.ts';
import { Rejection, UsageError } from '../terminal/errors.ts';
import { example, exampleIds } from '../terminal/help.ts';
import { line, moment, type TokenReference, tokenReference, uuid } from '../terminal/parameters.ts';
import { tokenView } from '../views.ts';

export function addTokenCommands(program: Command, { onService, removing }: Actions): void {
  const group = program.command('token').description('Manages access tokens.');

  group
    .command('create')
    .description('Creates an access token and prints it. It cannot be shown again.')
    .requiredOption('--user <user>', 'id of the user whom the token identifies', uuid)
    .option('--label <text>', 'what the token is for, to recognise it in a list', line())
    .option(
      '--expires <when>',
      'when it expires: days (90d), hours (12h) or a date (2027-01-31, at 00:00 UTC); without this option, never',
      moment,
    )
    .addHelpText('after', example(`token create --user ${exampleIds.user} --label 'nightly job' --expires 90d`))
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
        if (isExpired(record, now))
          throw new Rejection('The token would be expired from the start: choose a later time.');
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
    .addHelpText('after', example(`token list --user ${exampleIds.user}`))
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
      .option('--user <user>', 'id of its user; needed with only the beginning of a hash', uuid)
      .addHelpText('after', example(`token revoke 3f9a1c0d --user ${exampleIds.user}`)),
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

async function findToken(
  { tokens, hint }: Service,
  { hash, complete }: TokenReference,
  user: string | undefined,
): Promise<TokenRecord> {
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
