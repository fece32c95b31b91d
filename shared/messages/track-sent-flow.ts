import { hashToken } from '#shared/accounts/token.ts';
import { isOurs, isUnaltered } from './flow-message.ts';
import { keptUntil, progressOf, type SentFlow, type Step } from './sent-flow.ts';
import type { SentFlowStore } from './sent-flow-store.ts';

/** More attempts than there can be other writers at the same time. */
const maxTries = 8;

/** Records a step of a sent Flow and counts it. A repeated step counts once. */
export async function recordStep(
  sent: SentFlow,
  step: Step,
  sentFlows: Pick<SentFlowStore, 'advance' | 'find'>,
): Promise<void> {
  let current: SentFlow | undefined = sent;
  for (let tries = 0; current && tries < maxTries; tries++) {
    const progress = progressOf(current, step);
    if (!progress || (await sentFlows.advance(current, progress))) return;
    current = await sentFlows.find(sent.token_hash);
  }
  if (current) throw new Error('The record of a sent Flow kept changing');
}

/** Finds the sent Flow of a token, also for a while after the token has expired. */
export async function findSentFlow(
  token: string,
  now: number,
  { find }: Pick<SentFlowStore, 'find'>,
): Promise<SentFlow | undefined> {
  if (!isUnaltered(token)) return undefined;
  const sent = await find(hashToken(token));
  return sent && keptUntil(sent) > now ? sent : undefined;
}

/** Finds the sent Flow of a message, for as long as by its token. */
export async function findSentFlowOfMessage(
  message: string,
  now: number,
  { findByMessage }: Pick<SentFlowStore, 'findByMessage'>,
): Promise<SentFlow | undefined> {
  const sent = await findByMessage(message);
  return sent && keptUntil(sent) > now ? sent : undefined;
}

/**
 * What a token in a request to a Flow's endpoint stands for. `foreign`: no token, or one in another format, which the
 * endpoint itself knows. `rejected`: a token in our format that was altered, has expired, or belongs to another Flow.
 */
export type TokenOwner = SentFlow | 'foreign' | 'rejected';

export async function ownerOfToken(
  token: string | undefined,
  flow: { id: string; workspace: string },
  now: number,
  sentFlows: Pick<SentFlowStore, 'find'>,
): Promise<TokenOwner> {
  if (token === undefined || !isOurs(token)) return 'foreign';
  const sent = await findSentFlow(token, now, sentFlows);
  const isValid = sent && sent.flow === flow.id && sent.workspace === flow.workspace && sent.expires_at > now;
  return isValid ? sent : 'rejected';
}
