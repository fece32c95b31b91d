import { componentTable } from '#shared/flow-json/document/components.ts';
import { maxComponentsPerScreen } from '#shared/flow-json/document/limits.ts';
import { isAtLeast } from '#shared/flow-json/document/versions.ts';
import type { Report } from '../findings.ts';
import type { ComponentSource, FlowSource, ScreenSource } from '../flow-source.ts';
import type { Rule } from './rule.ts';

/** How many components a screen and a Flow may have, in total and of each type. */
export const checkCounts: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    checkTotal(screen, report);
    checkTypes(flow, screen, report);
  }
  checkFlow(flow, report);
};

function checkTotal({ components, node }: ScreenSource, report: Report): void {
  const total = count(components, () => true);
  if (total <= maxComponentsPerScreen) return;
  const message = `Maximum number of components allowed per screen is ${maxComponentsPerScreen} but found ${total}.`;
  report.error('MAX_ALLOWED_COMPONENTS_PER_SCREEN', message, node);
}

function checkTypes({ version }: FlowSource, { components, node }: ScreenSource, report: Report): void {
  for (const [name, { maxPerScreen, maxPerScreenSince }] of Object.entries(componentTable)) {
    if (maxPerScreen === undefined || !isAtLeast(version, maxPerScreenSince ?? version)) continue;
    const found = count(components, ({ type }) => type === name);
    if (found > maxPerScreen) {
      const message = `Maximum number of ${name} allowed per screen is ${maxPerScreen} but found ${found}.`;
      report.error(name === 'Footer' ? 'MORE_THAN_ONE_FOOTER' : 'COMPONENT_TYPE_MAX_NUMBER_PER_SCREEN', message, node);
    }
  }
}

function checkFlow({ document, screens }: FlowSource, report: Report): void {
  for (const [name, { maxPerFlow = Number.POSITIVE_INFINITY }] of Object.entries(componentTable)) {
    const found = screens.reduce((sum, { components }) => sum + count(components, ({ type }) => type === name), 0);
    if (found > maxPerFlow) {
      const message = `Maximum number of ${name} allowed per Flow is ${maxPerFlow} but found ${found}.`;
      report.error('COMPONENT_TYPE_MAX_NUMBER_PER_SCREEN', message, document);
    }
  }
}

/** Only one branch of an If or a Switch is ever shown, so the fullest counts. */
function count(components: readonly ComponentSource[], matches: (component: ComponentSource) => boolean): number {
  let total = 0;
  for (const component of components) {
    const branches = [...component.branches.values()].map((branch) => count(branch, matches));
    total += (matches(component) ? 1 : 0) + branches.reduce((max, branch) => Math.max(max, branch), 0);
  }
  return total;
}
