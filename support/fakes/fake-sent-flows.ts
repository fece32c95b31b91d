import { hashToken } from '#shared/accounts/token.ts';
import { createFlowToken } from '#shared/messages/flow-message.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';
import type { SentFlowStore } from '#shared/messages/sent-flow-store.ts';

/** A sent Flow with its token. */
export function newSentFlow(changes: Partial<SentFlow> & Pick<SentFlow, 'flow' | 'workspace'>) {
  const token = createFlowToken();
  const sent: SentFlow = {
    token_hash: hashToken(token),
    number: '33333331-3333-4333-8333-333333333331',
    contact: '16505551234',
    draft: false,
    created_at: 0,
    expires_at: Number.MAX_SAFE_INTEGER,
    stage: 'sent',
    message: 'wamid.SENT',
    revision: 1,
    ...changes,
  };
  return { token, sent };
}

/** A store of sent Flows in memory. `steps` has what was recorded about them. */
export function fakeSentFlows(sentFlows: readonly SentFlow[] = []) {
  const records = new Map(sentFlows.map((sent) => [sent.token_hash, sent]));
  const steps: { token_hash: string; stages: readonly string[]; screens: Readonly<Record<string, number>> }[] = [];
  const lookUps: string[] = [];
  const store: Pick<SentFlowStore, 'create' | 'find' | 'findByMessage' | 'remove' | 'advance'> = {
    async create(sent) {
      records.set(sent.token_hash, sent);
    },
    async find(tokenHash) {
      lookUps.push(tokenHash);
      return records.get(tokenHash);
    },
    async findByMessage(message) {
      lookUps.push(message);
      return [...records.values()].find((sent) => sent.message === message);
    },
    async remove(tokenHash) {
      if (records.get(tokenHash)?.stage === 'prepared') records.delete(tokenHash);
    },
    async advance(sent, { record, counts }) {
      const current = records.get(sent.token_hash);
      if (current?.revision !== sent.revision) return false;
      const { message: _, screen: __, ...rest } = current;
      records.set(sent.token_hash, { ...rest, ...record, revision: sent.revision + 1 });
      steps.push({ token_hash: sent.token_hash, ...counts });
      return true;
    },
  };
  return { store, records, steps, lookUps };
}
