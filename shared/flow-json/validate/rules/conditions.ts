import { parseReference } from '#shared/flow-json/document/expression.ts';
import { maxIfNesting } from '#shared/flow-json/document/limits.ts';
import { checkExpression } from '../check-expression.ts';
import { isCompatible } from '../expression-types.ts';
import { excerpt, type Report } from '../findings.ts';
import { type ComponentSource, countAround, type FlowSource, type ScreenSource } from '../flow-source.ts';
import type { Located } from '../located.ts';
import type { Rule } from './rule.ts';

const caseNamePattern = /^[a-zA-Z][a-zA-Z0-9_-]*$/;

/** The conditions of Ifs, the values and cases of Switches, and the Footers in both. */
export const checkConditions: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    for (const component of screen.allComponents) {
      if (component.type === 'If') checkIf(component, screen, flow, report);
      if (component.type === 'Switch') checkSwitch(component, report);
    }
  }
};

function checkIf(component: ComponentSource, screen: ScreenSource, flow: FlowSource, report: Report): void {
  const { node } = component;
  const branches = [...component.branches.values()];
  if (countAround(component, 'If') === maxIfNesting) {
    const message = `The 'If' component can only be nested up to ${maxIfNesting} levels deep.`;
    report.error('MAXIMUM_IF_NESTING', message, node);
  }
  if (branches.some(hasFooter) && !branches.every(hasFooter)) {
    const message = "Missing Footer in one of the branches of 'If': it should be in both.";
    report.error('MISSING_FOOTER_IN_IF_ELSE_BRANCHES', message, node);
  }
  const branch = node.member('then');
  if (branch?.type === 'array' && branch.items().length === 0) {
    report.error('INVALID_PROPERTY_VALUE', "Property 'then' should have at least one component.", branch);
  }
  const condition = node.member('condition');
  if (condition?.string !== undefined) checkCondition(condition, condition.string, screen, flow, report);
}

function checkCondition(node: Located, text: string, screen: ScreenSource, flow: FlowSource, report: Report): void {
  const checked = checkExpression(text, node, { flow, screen, report });
  if (checked === undefined) return;
  if (checked.references.length === 0) {
    report.error('INVALID_PROPERTY_VALUE', 'A condition should have at least one dynamic value.', node);
  } else if (!isCompatible(checked.type, 'boolean')) {
    const message = `A condition should be of type 'boolean' but found '${checked.type}'.`;
    report.error('INVALID_PROPERTY_VALUE', message, node);
  }
}

function checkSwitch(component: ComponentSource, report: Report): void {
  const { node } = component;
  const branches = [...component.branches.values()];
  const value = node.member('value');
  if (value?.string !== undefined && parseReference(value.string) === undefined) {
    report.error('INVALID_PROPERTY_VALUE', "Property 'value' should be a dynamic value.", value);
  }
  const cases = node.member('cases');
  if (cases?.type === 'object' && branches.length === 0) {
    report.error('EMPTY_SWITCH_CASES', "The 'Switch' component should have at least one case.", cases);
  }
  for (const { name, key } of cases?.members() ?? []) {
    if (!caseNamePattern.test(name)) {
      const message = `Case '${excerpt(name)}' should start with a letter and consist of letters, digits, '-' and '_'.`;
      report.error('PROPERTY_NAME_MISMATCH', message, key);
    }
  }
  if (branches.some(hasFooter) && !branches.every(hasFooter)) {
    const message = "Missing Footer in one of the cases of 'Switch': it should be in all.";
    report.error('MISSING_FOOTER_IN_SWITCH_BRANCHES', message, node);
  }
}

function hasFooter(components: readonly ComponentSource[]): boolean {
  return components.some(({ type }) => type === 'Footer');
}
