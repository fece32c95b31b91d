import { tokenFormat } from '#shared/accounts/token.ts';
import type { FieldError, FieldRule } from '#shared/base/field-error.ts';
import type { JsonObject } from '#shared/base/json.ts';
import { type FlowOutline, responseFindings } from '#shared/flow-json/response/endpoint-response.ts';
import type { LiveFlow } from '#shared/flows/flow.ts';
import type { FlowContent } from './schema.ts';

/** How a Flow opens: on a screen, or on the one that its endpoint names. */
export type Opening =
  | { flow_action: 'data_exchange' }
  | { flow_action: 'navigate'; flow_action_payload?: { screen: string; data?: JsonObject } };

/** How this content opens the Flow: on the screen that it names, else as the endpoint wants, else on the first one. */
export function openingOf({ screen, data }: FlowContent, flow: LiveFlow, outline: FlowOutline): Opening {
  // Without a data_api_version, phones ask no endpoint, even if the Flow has one.
  const hasEndpoint = flow.endpoint_url !== null && outline.dataApiVersion !== undefined;
  if (screen === undefined && hasEndpoint) return { flow_action: 'data_exchange' };
  const first = screen ?? outline.entries[0];
  if (first === undefined) return { flow_action: 'navigate' };
  const isEmpty = data === undefined || Object.keys(data).length === 0;
  return { flow_action: 'navigate', flow_action_payload: { screen: first, ...(!isEmpty && { data }) } };
}

/** Finds what in the content does not fit the Flow: its screen, and the data for it. */
export function contentFaults(content: FlowContent, flow: LiveFlow, outline: FlowOutline): FieldError[] {
  const { screen, data } = content;
  if (screen !== undefined) {
    const { entries } = outline;
    if (!entries.includes(screen)) return [fault('flow.screen', 'selected', { values: entries.join(', ') || '-' })];
  }
  const opening = openingOf(content, flow, outline);
  if (opening.flow_action === 'data_exchange') {
    return data === undefined ? [] : [fault('flow.screen', 'required_with', { other: 'flow.data' })];
  }
  const shown = opening.flow_action_payload?.screen;
  return shown === undefined ? [] : dataFaults(shown, data, outline);
}

function dataFaults(screen: string, data: JsonObject | undefined, outline: FlowOutline): FieldError[] {
  // The comparison knows plain numbers only; those that keep their digits become doubles for it.
  const plain: unknown = JSON.parse(JSON.stringify(data ?? {}));
  return responseFindings(outline, undefined, { screen, data: plain }).flatMap(({ code, path, expected }) => {
    const field = `flow.${path}`;
    if (code === 'missing-data') return fault(field, 'required');
    if (code === 'undeclared-data') return fault(field, 'undeclared_data', { screen });
    return fault(field, typeRules.get(expected ?? '') ?? 'format');
  });
}

const typeRules: ReadonlyMap<string, FieldRule> = new Map(
  (['string', 'number', 'integer', 'boolean', 'array', 'object'] as const).map((type) => [type, type]),
);

const fault = (field: string, rule: FieldRule, values: FieldError['values'] = {}): FieldError => ({
  field,
  rule,
  values,
});

/** The upstream's form of a message that sends a Flow (Meta's page "Sending a Flow"). */
export function interactiveFlow(
  { cta, body, header, footer }: FlowContent,
  flow: LiveFlow,
  flowToken: string,
  opening: Opening,
): JsonObject {
  return {
    type: 'flow',
    ...(header !== undefined && { header: { type: 'text', text: header } }),
    body: { text: body },
    ...(footer !== undefined && { footer: { text: footer } }),
    action: {
      name: 'flow',
      parameters: {
        flow_message_version: '3',
        flow_id: flow.wa_id,
        flow_token: flowToken,
        flow_cta: cta,
        mode: flow.status === 'DRAFT' ? 'draft' : 'published',
        ...opening,
      },
    },
  };
}

/**
 * The flow tokens that this service makes. A token with this prefix is ours, or an altered one of ours. Customers may
 * also send Flows through other systems, whose tokens have other formats.
 */
export const { create: createFlowToken, hasPrefix: isOurs, isWellFormed: isUnaltered } = tokenFormat('msgf_');
