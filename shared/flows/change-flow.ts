import { ServiceError } from '#shared/base/service-error.ts';
import type { ChangeIntent, FlowChange, FlowRecord } from './flow.ts';
import type { FlowJsonStore } from './flow-json-store.ts';
import type { LeasedFlow } from './flow-store.ts';
import {
  afterFailure,
  type Changed,
  commit,
  discard,
  discardIntended,
  drop,
  isRetry,
  reconcileLeased,
  recover,
  releaseLease,
} from './recover-flow.ts';
import { changeOf, type FlowContext, type Outcome } from './upstream-changes.ts';

/** Checks, under the lease, that the upstream may be called for the Flow. Throws if it may not. */
export type Preparation = (flow: FlowRecord) => void | Promise<void>;

/**
 * Changes a Flow upstream and then in the store. The change runs under a lease, and its intent is recorded before the
 * upstream is called. However it ends (rejected, without a response, with a store failure or a killed process), either
 * neither side changed, or both did, or the record stays and the next request for the Flow reconciles the change.
 */
export async function changeFlow(
  flow: FlowRecord,
  change: FlowChange,
  context: FlowContext,
  prepare?: Preparation,
): Promise<Changed> {
  if (change.change !== 'update-json') return makeChange(flow, change, context, prepare);
  const { text } = change;
  const { flowJson } = context;
  const json = await flowJson.keep(flow.id, text);
  // The upload does not read the text again, because this request still has it in memory.
  const read: FlowJsonStore['read'] = async (wanted) => (wanted === json ? text : flowJson.read(wanted));
  return makeChange(flow, { change: 'update-json', json }, { ...context, flowJson: { ...flowJson, read } }, prepare);
}

async function makeChange(
  flow: FlowRecord,
  intent: ChangeIntent,
  context: FlowContext,
  prepare: Preparation | undefined,
): Promise<Changed> {
  const claimed = await claim(flow, intent, context);
  if (claimed.pending?.lease === context.holder) return carryOut(claimed, intent, context, prepare);

  const reconciled = await reconcileLeased(claimed, context);
  if (reconciled && isRetry(claimed, intent)) return releaseLease(reconciled, context);
  const current = reconciled ? reconciled.flow : claimed;
  if (!current) throw new ServiceError('flow.not-found');
  const ready = await context.flows.intend({ ...current, lease: claimed.lease }, intent, context.now());
  if (!reconciled) await discardIntended(claimed, context);
  return carryOut(ready, intent, context, prepare);
}

/** Takes the lease. If the change cannot begin, the text that was stored for it is discarded. */
async function claim(flow: FlowRecord, intent: ChangeIntent, context: FlowContext): Promise<LeasedFlow> {
  try {
    return await context.flows.claim(flow, context.holder, intent, context.now());
  } catch (error) {
    if (intent.change === 'update-json' && error instanceof ServiceError) await discard(intent.json, context);
    throw error;
  }
}

/** Carries out a change whose intent is recorded under our lease. */
export async function carryOut(
  leased: LeasedFlow,
  intent: ChangeIntent,
  context: FlowContext,
  prepare?: Preparation,
): Promise<Changed> {
  let outcome: Outcome;
  try {
    await prepare?.(leased);
  } catch (error) {
    await afterFailure(() => drop(leased, context));
    throw error;
  }
  try {
    outcome = await changeOf(intent).apply(leased, intent, context);
  } catch (error) {
    outcome = await recover(leased, intent, error, context);
  }
  return commit(leased, outcome, context);
}
