import { parseReference } from '#shared/flow-json/document/expression.ts';
import { inputKindOf } from '#shared/flow-json/document/input-kinds.ts';
import type { Report } from '../findings.ts';
import type { ActionSource, ComponentSource, FlowSource, ScreenSource } from '../flow-source.ts';
import type { Located } from '../located.ts';
import type { Rule } from './rule.ts';

const maxFilesProperties = ['max-uploaded-photos', 'max-uploaded-documents'];

/** A place where a value refers to the files of a picker. */
interface PickerReference {
  readonly place: Located;
  readonly component: ComponentSource;
}

/**
 * Uploaded files go to the business and never to another screen. A payload has them at its top level (Meta's page
 * "Media upload components").
 */
export const checkMediaPayload: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    for (const action of screen.actions) checkAction(action, screen, flow, report);
  }
};

function checkAction({ name, node }: ActionSource, screen: ScreenSource, flow: FlowSource, report: Report): void {
  const payload = node.member('payload');
  if (payload === undefined) return;
  if (name === 'navigate') {
    for (const { place, component } of pickersIn(payload, screen, flow)) {
      const message = `The ${component.type} component's value is not allowed in the payload of the navigate action.`;
      report.error('INVALID_ON_CLICK_ACTION_PAYLOAD', message, place);
    }
  } else if (name === 'data_exchange' || name === 'complete') {
    const nested = payload.members().filter(({ value }) => value.string === undefined);
    for (const { place, component } of nested.flatMap(({ value }) => pickersIn(value, screen, flow))) {
      const message = `The ${component.type} can only be used as the value of a top-level string property in the action payload.`;
      report.error('INVALID_ON_CLICK_ACTION_PAYLOAD', message, place);
    }
    if (name === 'complete') checkFiles(pickersIn(payload, screen, flow), report);
  }
}

/**
 * Meta's page "Error codes" allows one file in the final response. Two copies of the page "Media upload components"
 * allow up to 10 files with 100 MiB in total. The pages disagree, so more than one file is only a warning.
 */
function checkFiles(pickers: readonly PickerReference[], report: Report): void {
  for (const { place, component } of pickers) {
    const maxFiles = maxFilesProperties.flatMap((name) => component.node.member(name) ?? [])[0];
    if (maxFiles?.number === 1) continue;
    const message = `The ${component.type} allows several files. Meta's pages disagree whether the complete action may send more than one, or up to 10 with 100 MiB in total.`;
    report.warning('INVALID_ON_CLICK_ACTION_PAYLOAD', message, place);
  }
  const [, second] = pickers;
  if (second !== undefined) {
    const message = "Meta's pages disagree whether the complete action may send the files of more than one picker.";
    report.warning('INVALID_ON_CLICK_ACTION_PAYLOAD', message, second.place);
  }
}

/** The places in a value that refer to the files of a picker. */
function pickersIn(value: Located, screen: ScreenSource, flow: FlowSource): PickerReference[] {
  if (value.string === undefined) {
    return [...value.items(), ...value.members().map((member) => member.value)].flatMap((inner) =>
      pickersIn(inner, screen, flow),
    );
  }
  const reference = parseReference(value.string);
  if (reference?.source !== 'form') return [];
  const on = reference.screen === undefined ? screen : flow.screensById.get(reference.screen);
  const input = on?.inputs.get(reference.path[0]);
  return input && inputKindOf(input.type) === 'media' ? [{ place: value, component: input }] : [];
}
