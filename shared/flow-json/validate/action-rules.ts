import { parseReference } from '#shared/flow-json/document/expression.ts';
import { inputKindOf } from '#shared/flow-json/document/values.ts';
import { listed, type Report } from './findings.ts';
import type { ActionSource, ComponentSource, FlowSource, Located, ScreenSource } from './flow-source.ts';
import { type Context, declaredType, isCompatible, typeOfValue } from './value-types.ts';
import type { Rule } from './version-rules.ts';

/** What actions need from their screen and the Flow, and what they send. */
export const checkActions: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    for (const action of screen.actions) checkAction(action, { flow, screen, report });
  }
  checkEndpoint(flow, report);
};

function checkAction({ name, node, property, component }: ActionSource, context: Context): void {
  const { screen, report } = context;
  const place = node.member('name') ?? node;
  const payload = node.member('payload');
  if (name === 'complete' && component.type === 'Footer' && !screen.isTerminal) {
    const message = "On-click-action 'complete' can only be configured on a terminal screen.";
    report.error('INVALID_COMPLETE_ACTION', message, place);
  }
  if (name === 'navigate' && component.type === 'Footer' && screen.isTerminal) {
    const message = "On-click-action 'navigate' cannot be configured on the Footer of a terminal screen.";
    report.error('INVALID_PROPERTY_VALUE', message, place);
  }
  if (name === 'data_exchange' && property !== 'on-click-action' && payload === undefined) {
    report.error('MISSING_REQUIRED_PROPERTY', "Required property 'payload' is missing.", node);
  }
  if (name === 'navigate') checkNavigation(node, payload, context);
  if (payload === undefined) return;
  if (name === 'update_data') checkPayload(payload, screen, updatePayload, context);
  else checkFiles(name, payload, context);
}

function checkEndpoint({ dataApiVersion, screens }: FlowSource, report: Report): void {
  if (dataApiVersion !== undefined) return;
  const exchange = screens.flatMap(({ actions }) => actions).find(({ name }) => name === 'data_exchange');
  if (exchange === undefined) return;
  const message = "Required property 'data_api_version' is missing: 'data_exchange' needs an endpoint.";
  report.error('MISSING_REQUIRED_PROPERTY', message, exchange.node);
}

/** A navigate action leads to another screen and passes exactly the data that it declares. */
function checkNavigation(node: Located, payload: Located | undefined, context: Context): void {
  const { flow, screen, report } = context;
  const name = node.member('next')?.member('name');
  if (name?.string === undefined) return;
  const next = flow.screensById.get(name.string);
  if (next === undefined) {
    const message = `Unknown screen ids found: ${listed([name.string])}.`;
    report.error('INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME', message, name);
  } else if (next.id === screen.id) {
    const message = `Screen ${listed([screen.id])} cannot navigate to itself.`;
    report.error('INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME', message, name);
  } else {
    const missing = [...next.data.keys()].filter((field) => payload?.member(field) === undefined);
    if (missing.length > 0 && (payload === undefined || payload.isObject)) {
      const code = payload === undefined ? 'MISSING_NAVIGATION_ACTION_PAYLOAD' : 'INVALID_NAVIGATE_ACTION_PAYLOAD';
      const message = `Following fields of the next screen's data model are missing in the payload: ${listed(missing)}.`;
      report.error(code, message, payload ?? node);
    }
    if (payload !== undefined) checkPayload(payload, next, navigatePayload, context);
  }
}

const updatePayload = {
  receiver: 'the screen',
  code: 'INVALID_UPDATE_DATA_ACTION_PAYLOAD',
  codeOfLiteral: 'INVALID_UPDATE_DATA_ACTION_PAYLOAD',
};
const navigatePayload = {
  receiver: 'the next screen',
  code: 'INVALID_NAVIGATE_ACTION_PAYLOAD',
  codeOfLiteral: 'INVALID_NAVIGATE_ACTION_STATIC_DATA',
};

/** Compares the members of a payload with the data model that receives them. */
function checkPayload(
  payload: Located,
  { data }: ScreenSource,
  { receiver, code, codeOfLiteral }: typeof updatePayload,
  context: Context,
): void {
  const unknown = payload.names().filter((name) => !data.has(name));
  if (unknown.length > 0) {
    const message = `Following fields are missing in ${receiver}'s data model: ${listed(unknown)}.`;
    context.report.error(code, message, payload);
  }
  for (const { name, value } of payload.members()) {
    const schema = data.get(name);
    const expected = schema && declaredType(schema);
    const { type, isDynamic } = typeOfValue(value, context);
    if (expected === undefined || (type !== 'null' && isCompatible(type, expected))) continue;
    const message = `Property is expecting '${expected}' but got '${type}'.`;
    context.report.error(isDynamic ? code : codeOfLiteral, message, value);
  }
}

/** A place where a value refers to the files of a picker. */
interface PickerReference {
  readonly place: Located;
  readonly component: ComponentSource;
}

/**
 * Uploaded files go to the business and never to another screen. A payload has them at its top level (Meta's page
 * "Media upload components").
 */
function checkFiles(action: string, payload: Located, context: Context): void {
  const { report } = context;
  const pickers = pickersIn(payload, context);
  if (action === 'navigate') {
    for (const { place, component } of pickers) {
      const message = `The ${component.type} component's value is not allowed in the payload of the navigate action.`;
      report.error('INVALID_ON_CLICK_ACTION_PAYLOAD', message, place);
    }
    return;
  }
  const nested = payload.members().filter(({ value }) => value.string === undefined);
  for (const { place, component } of nested.flatMap(({ value }) => pickersIn(value, context))) {
    const message = `The ${component.type} can only be used as the value of a top-level string property in the action payload.`;
    report.error('INVALID_ON_CLICK_ACTION_PAYLOAD', message, place);
  }
  if (action === 'complete') checkNumberOfFiles(pickers, report);
}

const maxFilesProperties = ['max-uploaded-photos', 'max-uploaded-documents'];

/**
 * Meta's page "Error codes" allows one file in the final response. Two copies of the page "Media upload components"
 * allow up to 10 files with 100 MiB in total. The pages disagree, so more than one file is only a warning.
 */
function checkNumberOfFiles(pickers: readonly PickerReference[], report: Report): void {
  const takesOne = ({ component }: PickerReference) =>
    maxFilesProperties.some((name) => component.node.member(name)?.number === 1);
  const several = pickers.find((picker, index) => index > 0 || !takesOne(picker));
  if (several === undefined) return;
  const message =
    "Meta's pages disagree whether the complete action may send more than one file, or up to 10 with 100 MiB in total.";
  report.warning('INVALID_ON_CLICK_ACTION_PAYLOAD', message, several.place);
}

function pickersIn(value: Located, context: Context): PickerReference[] {
  if (value.string === undefined) {
    const inner = [...value.items(), ...value.members().map((member) => member.value)];
    return inner.flatMap((item) => pickersIn(item, context));
  }
  const reference = parseReference(value.string);
  if (reference?.source !== 'form') return [];
  const on = reference.screen === undefined ? context.screen : context.flow.screensById.get(reference.screen);
  const input = on?.inputs.get(reference.path[0]);
  return input && inputKindOf(input.type) === 'media' ? [{ place: value, component: input }] : [];
}
