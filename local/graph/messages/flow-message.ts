import * as z from 'zod/mini';
import type { Flow } from '../flows/flows.ts';
import type { FlowStore } from '../flows/store.ts';
import { GraphError } from '../http/graph-errors.ts';
import { type FlowParameters, flowParametersSchema } from './bodies/interactive-schemas.ts';
import type { Template } from './templates.ts';

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

/** Rejects Flows that may not be sent. Meta documents a code for one state only; the others are 131009 here. */
export function assertFlowSendable(flow: Flow | undefined, { mode }: FlowParameters): void {
  if (flow === undefined) throw invalid('The account has no such Flow');
  if (flow.status === 'BLOCKED') throw new GraphError('flow_blocked');
  if (flow.status === 'DEPRECATED') throw invalid('The Flow is deprecated');
  if (flow.status === 'DRAFT' && mode !== 'draft') throw invalid('The Flow is a draft, which needs the mode draft');
}

function invalid(what: string): GraphError {
  return new GraphError('message_parameter_invalid', `${what}.`);
}

const declaredSchema = z.object({
  flow_id: z.optional(z.coerce.string()),
  flow_name: z.optional(z.string()),
  flow_action: z.optional(z.string()),
  navigate_screen: z.optional(z.string()),
});
const actionSchema = z.looseObject({
  flow_token: z.optional(z.string()),
  flow_action_data: z.optional(z.record(z.string(), z.unknown())),
});
const sentSchema = z.object({
  components: z.array(
    z.looseObject({
      sub_type: z.optional(z.string()),
      index: z.optional(z.union([z.number(), z.string()])),
      parameters: z.optional(z.array(z.looseObject({ action: z.optional(actionSchema) }))),
    }),
  ),
});

/** The Flow button of a template, if it has one. */
export function declaredFlow(template: Template) {
  const buttons = template.components.find(({ type }) => type === 'BUTTONS')?.buttons ?? [];
  const position = buttons.findIndex(({ type }) => type === 'FLOW');
  const { data } = z.safeParse(declaredSchema, buttons[position]);
  return data && { ...data, position };
}

/**
 * How the Flow button of a template opens its Flow: the template names the Flow and its first screen, the message gives
 * the token and the data (Meta's page "Sending a Flow"). Undefined if the template has no such button.
 */
export function flowOfTemplate(template: Template, content: unknown): FlowOpening | undefined {
  const declared = declaredFlow(template);
  if (declared === undefined) return undefined;
  const sent = z
    .safeParse(sentSchema, content)
    .data?.components.find(
      ({ sub_type, index }) => sub_type?.toLowerCase() === 'flow' && Number(index) === declared.position,
    );
  const { flow_token = 'unused', flow_action_data: data } = sent?.parameters?.[0]?.action ?? {};
  const { flow_id, flow_name, flow_action, navigate_screen: screen } = declared;
  if (flow_action?.toLowerCase() === 'data_exchange') {
    return { flow_id, flow_name, flow_token, flow_action: 'data_exchange', flow_action_payload: undefined };
  }
  return { flow_id, flow_name, flow_token, flow_action: 'navigate', flow_action_payload: { screen, data } };
}
