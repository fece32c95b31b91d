import { parseReference } from '../expression.ts';
import type { Report } from '../findings.ts';
import type { ActionSource, FlowSource, ScreenSource } from '../flow-source.ts';
import type { Located } from '../located.ts';
import type { Rule } from './rule.ts';

/** Uploaded files go to the business, at the top of a payload, and to no other screen (Meta's page "Media upload components"). */
export const checkMediaPayload: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    for (const action of screen.actions) checkAction(action, screen, flow, report);
  }
};

function checkAction({ name, node }: ActionSource, screen: ScreenSource, flow: FlowSource, report: Report): void {
  const payload = node.member('payload');
  if (payload === undefined) return;
  if (name === 'navigate') {
    for (const { place, type } of pickersIn(payload, screen, flow)) {
      const message = `The ${type} component's value is not allowed in the payload of the navigate action.`;
      report.error('INVALID_NAVIGATE_ACTION_PAYLOAD', message, place);
    }
  } else if (name === 'data_exchange' || name === 'complete') {
    const nested = payload.members().filter(({ value }) => value.string === undefined);
    for (const { place, type } of nested.flatMap(({ value }) => pickersIn(value, screen, flow))) {
      const message = `The ${type} can only be used as the value of a top-level string property in the action payload.`;
      report.error('INVALID_ACTION_PAYLOAD_PROPERTY', message, place);
    }
  }
}

/** Where in a value the files of a picker stand. */
function pickersIn(value: Located, screen: ScreenSource, flow: FlowSource): { place: Located; type: string }[] {
  if (value.string === undefined) {
    return [...value.items(), ...value.members().map((member) => member.value)].flatMap((inner) =>
      pickersIn(inner, screen, flow),
    );
  }
  const reference = parseReference(value.string);
  if (reference?.source !== 'form') return [];
  const on = reference.screen === undefined ? screen : flow.screensById.get(reference.screen);
  const input = on?.inputs.get(reference.path[0]);
  return input?.input === 'media' ? [{ place: value, type: input.type }] : [];
}
