import { timestamp } from '#shared/base/clock.ts';
import { createToken, hashToken, isExpired, type TokenRecord } from '#shared/domain/accounts/token.ts';
import { defineCommand, optional, required } from '../command.ts';
import { Refusal, UsageError } from '../failures.ts';
import { findUser } from '../lookup.ts';
import { line, moment, type TokenReference, tokenReference, userId } from '../parameters.ts';
import type { Service } from '../service.ts';
import { tokenView } from '../views.ts';

export const tokenCommands = [
  defineCommand({
    noun: 'token',
    verb: 'create',
    summary: 'Makes an access token and prints it, this once.',
    arguments: {},
    options: {
      user: required(userId, 'whose token it is'),
      label: optional(line('TEXT'), 'what it is for, to recognise it in a list'),
      expires: optional(moment, 'when it stops working, in UTC; never, if left out'),
    },
    async run(service, { user, label = '', expires }) {
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
      if (isExpired(record, now)) throw new Refusal('A token that expires now or in the past would be of no use.');
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
        note: 'Store the token now: it is shown this once and kept nowhere.',
      };
    },
  }),
  defineCommand({
    noun: 'token',
    verb: 'list',
    summary: 'Lists the tokens of a user, by the beginning of their hash.',
    arguments: {},
    options: { user: required(userId, 'whose tokens') },
    async run(service, { user }) {
      await findUser(service, user);
      const now = service.now();
      return { value: (await service.tokens.listByUser(user)).map((token) => tokenView(token, now)) };
    },
  }),
  defineCommand({
    noun: 'token',
    verb: 'revoke',
    summary: 'Ends a token: the next request with it is refused.',
    arguments: { token: tokenReference },
    options: { user: optional(userId, 'whose token it is; needed with the beginning of a hash') },
    async run(service, { token: reference, user }) {
      const token = await findToken(service, reference, user);
      await service.tokens.revoke(token.hash);
      return { value: { ...tokenView(token, service.now()), user: token.user, state: 'revoked' } };
    },
  }),
];

async function findToken(
  { tokens }: Service,
  { hash, complete }: TokenReference,
  user: string | undefined,
): Promise<TokenRecord> {
  if (!complete && user === undefined) throw new UsageError('The beginning of a hash needs --user USER.');
  const candidates = user === undefined ? [await tokens.get(hash)] : await tokens.listByUser(user);
  const [token, another] = candidates.filter((candidate) => candidate?.hash.startsWith(hash));
  if (token === undefined) throw new Refusal('There is no such token; "token list --user USER" shows those of a user.');
  if (another !== undefined) throw new Refusal(`Several tokens of the user begin with ${hash}; give more of the hash.`);
  return token;
}
