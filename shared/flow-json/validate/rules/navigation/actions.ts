import { parseReference } from '#shared/flow-json/document/expression.ts';
import { isAtLeast } from '#shared/flow-json/document/versions.ts';
import { excerpt, listed, type Report } from '../../findings.ts';
import { type ActionSource, type FlowSource, isInForm, type ScreenSource } from '../../flow-source.ts';
import type { Located } from '../../located.ts';
import { checkPayloadTypes, type PayloadContext } from '../../payload-types.ts';
import type { Rule } from '../rule.ts';

const formIsOptionalSince = '4.0';

/** What the actions complete, data_exchange and update_data need from their screen and the Flow. */
export const checkActions: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    for (const action of screen.actions) checkAction(action, screen, flow, report);
  }
  checkEndpoint(flow, report);
};

function checkAction(action: ActionSource, screen: ScreenSource, flow: FlowSource, report: Report): void {
  const { name, node, property, component } = action;
  const place = node.member('name') ?? node;
  if (name === 'complete' && component.type === 'Footer' && !screen.isTerminal) {
    const message = "On-click-action 'complete' can only be configured on a terminal screen.";
    report.error('INVALID_COMPLETE_ACTION', message, place);
  }
  if (name === 'navigate' && component.type === 'Footer' && screen.isTerminal) {
    const message = "On-click-action 'navigate' cannot be configured on the Footer of a terminal screen.";
    report.error('INVALID_PROPERTY_VALUE', message, place);
  }
  if (name === 'data_exchange' && property !== 'on-click-action' && node.member('payload') === undefined) {
    report.error('MISSING_REQUIRED_PROPERTY', "Required property 'payload' is missing.", node);
  }
  if (name === 'update_data') checkUpdate(action, { flow, screen, report });
  if (component.type === 'Footer' && !isInForm(component) && !isAtLeast(flow.version, formIsOptionalSince)) {
    checkPayloadOutsideForm(node.member('payload'), report);
  }
}

/** Before 4.0, inputs are known only inside the Form. */
function checkPayloadOutsideForm(value: Located | undefined, report: Report): void {
  if (value === undefined) return;
  if (value.string !== undefined && parseReference(value.string)?.source === 'form') {
    const message = `A Footer outside the Form cannot send '${excerpt(value.string)}' before version ${formIsOptionalSince}.`;
    report.error('INVALID_FOOTER_PAYLOAD_OUTSIDE_FORM', message, value);
  }
  for (const item of value.items()) checkPayloadOutsideForm(item, report);
  for (const member of value.members()) checkPayloadOutsideForm(member.value, report);
}

function checkUpdate({ node }: ActionSource, context: PayloadContext): void {
  const { screen, report } = context;
  const payload = node.member('payload');
  if (payload === undefined) return;
  const unknown = payload.names().filter((name) => !screen.data.has(name));
  if (unknown.length > 0) {
    const message = `Following fields are missing in the screen's data model: ${listed(unknown)}.`;
    report.error('INVALID_UPDATE_DATA_ACTION_PAYLOAD', message, payload);
  }
  const code = 'INVALID_UPDATE_DATA_ACTION_PAYLOAD';
  checkPayloadTypes(payload, screen.data, context, { literal: code, dynamic: code });
}

/** Before 3.0, `data_channel_uri` named the endpoint. */
function checkEndpoint({ version, dataApiVersion, screens }: FlowSource, report: Report): void {
  if (dataApiVersion !== undefined || !isAtLeast(version, '3.0')) return;
  const exchange = screens.flatMap(({ actions }) => actions).find(({ name }) => name === 'data_exchange');
  if (exchange === undefined) return;
  const message = "Required property 'data_api_version' is missing: 'data_exchange' needs an endpoint.";
  report.error('MISSING_REQUIRED_PROPERTY', message, exchange.node);
}
