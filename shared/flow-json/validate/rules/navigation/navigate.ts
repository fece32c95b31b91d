import { listed, type Report } from '../../findings.ts';
import type { ActionSource, FlowSource, ScreenSource } from '../../flow-source.ts';
import { checkPayloadTypes } from '../../payload-types.ts';
import type { Rule } from '../rule.ts';

/** A navigate action leads to another screen and passes exactly the data that it declares. */
export const checkNavigate: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    for (const action of screen.actions) if (action.name === 'navigate') checkAction(action, screen, flow, report);
  }
};

function checkAction({ node }: ActionSource, screen: ScreenSource, flow: FlowSource, report: Report): void {
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
    checkPayload(node, screen, next, flow, report);
  }
}

function checkPayload(
  action: ActionSource['node'],
  screen: ScreenSource,
  next: ScreenSource,
  flow: FlowSource,
  report: Report,
): void {
  const payload = action.member('payload');
  if (payload === undefined && next.data.size > 0) {
    const message = `Following fields of the next screen's data model are missing in the payload: ${listed(next.data.keys())}.`;
    report.error('MISSING_NAVIGATION_ACTION_PAYLOAD', message, action);
  }
  if (payload?.type !== 'object') return;
  const sent = payload.names();
  const unknown = sent.filter((name) => !next.data.has(name));
  if (unknown.length > 0) {
    const message = `Following fields are missing in the next screen's data model: ${listed(unknown)}.`;
    report.error('INVALID_NAVIGATE_ACTION_PAYLOAD', message, payload);
  }
  const missing = [...next.data.keys()].filter((name) => payload.member(name) === undefined);
  if (missing.length > 0) {
    const message = `Following fields of the next screen's data model are missing in the payload: ${listed(missing)}.`;
    report.error('INVALID_NAVIGATE_ACTION_PAYLOAD', message, payload);
  }
  checkPayloadTypes(
    payload,
    next.data,
    { flow, screen, report },
    {
      literal: 'INVALID_NAVIGATE_ACTION_STATIC_DATA',
      dynamic: 'INVALID_NAVIGATE_ACTION_PAYLOAD',
    },
  );
}
