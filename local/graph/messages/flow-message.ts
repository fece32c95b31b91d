import * as z from 'zod/mini';
import { hourMs } from '#shared/base/time/duration.ts';
import { GraphError } from '../core/graph-errors.ts';
import { RateWindow } from '../core/rate-window.ts';
import type { Flow } from '../flows/flows.ts';
import type { FlowStore } from '../flows/store.ts';
import { type FlowParameters, flowParametersSchema } from './bodies/interactive-schemas.ts';

const flowMessageSchema = z.object({
  type: z.literal('flow'),
  action: z.object({ parameters: flowParametersSchema }),
});

/** Which Flow a message opens, and how. */
export type FlowOpening = Pick<
  FlowParameters,
  'flow_id' | 'flow_name' | 'flow_token' | 'flow_action' | 'flow_action_payload'
>;

/** The parameters of a Flow message. Undefined for other content. */
export function flowParametersOf(content: unknown): FlowParameters | undefined {
  return z.safeParse(flowMessageSchema, content).data?.action.parameters;
}

/** The Flow that a message names, if the account has it. */
export function findFlow(
  store: FlowStore,
  wabaId: string,
  { flow_id, flow_name }: Pick<FlowOpening, 'flow_id' | 'flow_name'>,
): Flow | undefined {
  return store.ofAccount(wabaId).find(({ id, name }) => id === flow_id || name === flow_name);
}

/** Rejects Flows that may not be sent. Meta documents codes for two states only; the others are 131009 here. */
export class FlowSending {
  readonly #throttled = new RateWindow(hourMs);

  assertSendable(flow: Flow | undefined, { mode }: FlowParameters, hourlyLimit: number | null, now: number): void {
    if (flow === undefined) throw invalid('The account has no such Flow');
    if (flow.status === 'BLOCKED') throw new GraphError('flow_blocked');
    if (flow.status === 'DEPRECATED') throw invalid('The Flow is deprecated');
    if (flow.status === 'DRAFT' && mode !== 'draft') throw invalid('The Flow is a draft, which needs the mode draft');
    if (flow.status === 'THROTTLED' && !this.#throttled.take(flow.id, hourlyLimit, now)) {
      throw new GraphError('flow_throttled');
    }
  }
}

function invalid(what: string): GraphError {
  return new GraphError('message_parameter_invalid', `${what}.`);
}
