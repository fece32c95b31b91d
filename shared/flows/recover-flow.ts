import { isDeepStrictEqual } from 'node:util';
import { describeError, log } from '#shared/base/logger.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { minuteMs } from '#shared/base/time.ts';
import { lacksResponse, UpstreamError } from '#shared/base/upstream-error.ts';
import {
  type ChangeIntent,
  type FlowRecord,
  flowBusy,
  isAbandoned,
  isLive,
  isOutdatedReading,
  type LiveFlow,
  type StoredJson,
} from './flow.ts';
import type { FlowChanges, LeasedFlow } from './flow-store.ts';
import type { ValidationError } from './flows-graph.ts';
import { eventOfChange } from './follow-status.ts';
import { changeOf, type FlowContext, type Outcome } from './upstream-changes.ts';

/** The Flow after the change, or `undefined` when the change removed it. */
export interface Changed {
  flow: FlowRecord | undefined;
  findings: ValidationError[];
}

/**
 * The upstream may still carry out a change whose response was lost. Until this much time has passed since its start,
 * an inquiry that does not find the change proves nothing.
 */
const landsWithinMs = minuteMs;

/**
 * Reconciles an abandoned change: asks the upstream about it, then stores its outcome or drops it. Resolves with
 * `undefined` when the Flow no longer exists. A read must not fail because of the upstream, so the stored Flow is
 * returned if the upstream cannot be asked.
 */
export async function reconcileFlow(flow: FlowRecord, context: FlowContext): Promise<FlowRecord | undefined> {
  if (!isAbandoned(flow, context.now())) return flow;
  try {
    const claimed = await context.flows.claim(flow, context.holder, undefined, context.now());
    const reconciled = await reconcileLeased(claimed, context);
    if (reconciled) return (await releaseLease(reconciled, context)).flow;
    return await suspendOrDrop(claimed, context);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'flow.not-found') return undefined;
    if (error instanceof ServiceError || error instanceof UpstreamError) return flow;
    throw error;
  }
}

/** Resolves with the outcome if the upstream made the change in spite of the error; otherwise throws the error. */
export async function recover(
  leased: LeasedFlow,
  intent: ChangeIntent,
  error: unknown,
  context: FlowContext,
): Promise<Outcome> {
  const outcome = await knownOutcome(leased, intent, error, context);
  if (typeof outcome === 'object') return outcome;
  await afterFailure(() => (outcome === 'unknown' ? context.flows.suspend(leased) : drop(leased, context)));
  throw error;
}

async function knownOutcome(
  leased: LeasedFlow,
  intent: ChangeIntent,
  error: unknown,
  context: FlowContext,
): Promise<Outcome | 'not-made' | 'unknown'> {
  if (!(error instanceof UpstreamError)) return 'not-made';
  if (!mayHaveBeenMade(error, intent)) return 'not-made';
  try {
    const outcome = await changeOf(intent).inquire(leased, intent, context);
    return outcome ?? (lacksResponse(error) ? 'unknown' : 'not-made');
  } catch {
    return error.failure === 'rejected' ? 'not-made' : 'unknown';
  }
}

/**
 * The upstream may reject a publish or delete because it is already done: by an earlier attempt, or outside this
 * service.
 */
function mayHaveBeenMade(error: UpstreamError, { change }: ChangeIntent): boolean {
  if (error.failure === 'rejected') return change === 'publish' || change === 'delete';
  return error.outcomeIsUnknown || error.failure === 'unavailable';
}

/**
 * Reconciles the abandoned change of a Flow whose lease we hold: if the upstream made the change, stores its outcome
 * and keeps the lease. Resolves with `undefined` when the upstream did not make it.
 */
export async function reconcileLeased(leased: LeasedFlow, context: FlowContext): Promise<Changed | undefined> {
  if (!leased.pending) return undefined;
  let outcome: Outcome | undefined;
  try {
    outcome = await changeOf(leased.pending).inquire(leased, leased.pending, context);
  } catch (error) {
    await afterFailure(() => context.flows.suspend(leased));
    throw error;
  }
  return outcome && commit(leased, outcome, context, 'keep-lease');
}

/** Resolves with a Flow of the same name that the upstream created for a request that ended before storing it. */
export async function adopt({ workspace, name }: FlowRecord, context: FlowContext): Promise<LiveFlow | undefined> {
  for (const earlier of await context.flows.findPendingCreates(workspace, name)) {
    if (!isAbandoned(earlier, context.now())) throw flowBusy(earlier, context.now());
    const reconciled = await reconcileFlow(earlier, context);
    if (reconciled && isLive(reconciled)) return reconciled;
  }
  return undefined;
}

/**
 * Whether the intent repeats the abandoned change and making the change twice would give a different result.
 */
export function isRetry({ pending }: FlowRecord, intent: ChangeIntent): boolean {
  return pending?.change === intent.change && (intent.change === 'publish' || intent.change === 'delete');
}

/** Releases the lease after another request's change was reconciled. */
export async function releaseLease(changed: Changed, context: FlowContext): Promise<Changed> {
  if (changed.flow) await context.flows.release(changed.flow, context.holder);
  return changed;
}

/** The upstream has not made the change. The record stays while the upstream may still make it. */
async function suspendOrDrop(leased: LeasedFlow, context: FlowContext): Promise<FlowRecord | undefined> {
  const started = leased.pending?.started_at ?? 0;
  if (context.now() - started < landsWithinMs) await context.flows.suspend(leased);
  else await drop(leased, context);
  return leased;
}

/** Stores what the upstream did. If that fails, the record stays and the next request reconciles the change. */
export async function commit(
  leased: LeasedFlow,
  outcome: Outcome,
  context: FlowContext,
  lease: 'give-back' | 'keep-lease' = 'give-back',
): Promise<Changed> {
  try {
    if (outcome.remove) {
      await context.flows.remove(leased);
      await discard(leased.json, context);
      return { flow: undefined, findings: [] };
    }
    await announceStatus(leased, outcome.save, context);
    const flow = await context.flows.save(leased, outcome.save, context.now(), lease === 'keep-lease');
    if (!isDeepStrictEqual(leased.json, flow.json)) await discard(leased.json, context);
    return { flow, findings: outcome.findings ?? [] };
  } catch (error) {
    await afterFailure(() => context.flows.suspend(leased));
    throw error;
  }
}

/** A write that fails must not hide the failure before it. When the lease has expired, the change is reconciled. */
export async function afterFailure(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log('warn', 'flow.lease-not-released', describeError(error));
  }
}

/**
 * Sends the workspace an event if the Flow gets one of the statuses that are announced. The record of the change is
 * still there, so after a failure the next request repeats the event with the same id.
 */
async function announceStatus(leased: LeasedFlow, changes: FlowChanges, context: FlowContext): Promise<void> {
  const { status, status_heard_at: readAt = context.now() } = changes;
  const event = eventOfChange(leased, status);
  if (!status || !event) return;
  // Meanwhile, a report of the upstream may have changed the status and caused an event.
  const current = await context.flows.get(leased.workspace, leased.id);
  if (current?.status === status) return;
  const outdated = current !== undefined && isOutdatedReading(current, leased, status, readAt);
  // The report of a publication that was made here may come too late to cause an event.
  if (!outdated || leased.pending?.change === 'publish') await context.announce(event);
}

/** Discards a change that the upstream did not make, with the Flow itself if its creation failed. */
export async function drop(leased: LeasedFlow, context: FlowContext): Promise<void> {
  if (leased.pending?.change === 'create') return context.flows.remove(leased);
  await context.flows.release(leased, context.holder);
  await discardIntended(leased, context);
}

export async function discardIntended({ pending, json }: LeasedFlow, context: FlowContext): Promise<void> {
  if (pending?.change === 'update-json' && !isDeepStrictEqual(pending.json, json)) await discard(pending.json, context);
}

/** An orphaned text only costs storage, so a failure to delete it fails nothing else. */
export async function discard(json: StoredJson, context: FlowContext): Promise<void> {
  await context.flowJson.discard(json).catch((error) => log('warn', 'flow-json.orphaned', describeError(error)));
}
