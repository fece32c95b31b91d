import * as z from 'zod/mini';
import type { FlowOpening } from './flow-message.ts';
import type { Template } from './templates.ts';

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

/**
 * How the Flow button of a template opens its Flow: the template names the Flow and its first screen, the message gives
 * the token and the data (Meta's page "Sending a Flow"). Undefined if the template has no such button.
 */
export function flowOfTemplate(template: Template, content: unknown): FlowOpening | undefined {
  const buttons = template.components.find(({ type }) => type === 'BUTTONS')?.buttons ?? [];
  const position = buttons.findIndex(({ type }) => type === 'FLOW');
  const { data: declared } = z.safeParse(declaredSchema, buttons[position]);
  if (declared === undefined) return undefined;
  const sent = z
    .safeParse(sentSchema, content)
    .data?.components.find(({ sub_type, index }) => sub_type?.toLowerCase() === 'flow' && Number(index) === position);
  const { flow_token = 'unused', flow_action_data: data } = sent?.parameters?.[0]?.action ?? {};
  const { flow_id, flow_name, flow_action, navigate_screen: screen } = declared;
  if (flow_action?.toLowerCase() === 'data_exchange') {
    return { flow_id, flow_name, flow_token, flow_action: 'data_exchange', flow_action_payload: undefined };
  }
  return { flow_id, flow_name, flow_token, flow_action: 'navigate', flow_action_payload: { screen, data } };
}
