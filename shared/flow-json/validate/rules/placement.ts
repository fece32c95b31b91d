import { rulesOf } from '#shared/flow-json/document/components.ts';
import { inputKindOf } from '#shared/flow-json/document/input-kinds.ts';
import { textOf } from '#shared/flow-json/document/read-flow.ts';
import { isAtLeast, type Version } from '#shared/flow-json/document/versions.ts';
import { excerpt, type Report } from '../findings.ts';
import { type ComponentSource, countAround, type FlowSource, isInForm, type ScreenSource } from '../flow-source.ts';
import type { Rule } from './rule.ts';

/** Which components may be where, and next to which others. */
export const checkPlacement: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    for (const component of screen.allComponents) checkParent(component, flow.version, report);
    checkForm(flow, screen, report);
    checkNames(screen, report);
    checkRichText(flow, screen, report);
    checkNavigationList(screen, report);
    checkPickers(screen, report);
  }
};

function checkParent(component: ComponentSource, version: Version, report: Report): void {
  const { type, node, parent } = component;
  const rules = rulesOf(type);
  if (parent === undefined || rules === undefined) return;
  const misplaced = `Component '${type}' is not allowed in '${parent.type}'.`;
  const isInForm = parent.type === 'Form';
  if (isInForm ? type === 'Form' : !isAllowedInBranch(component, version)) {
    report.error('INVALID_COMPONENT_PLACEMENT', misplaced, node);
  } else if (!isInForm && rules.inBranches === 'undocumented') {
    const message = `It is not documented whether component '${type}' is shown in '${parent.type}'.`;
    report.warning('UNDOCUMENTED', message, node);
  }
}

function isAllowedInBranch(component: ComponentSource, version: Version): boolean {
  const { type, parent } = component;
  const inBranches = rulesOf(type)?.inBranches;
  if (type === 'If' && parent?.type === 'Switch') return false;
  if (type === 'Footer') return countAround(component, 'If', 'Switch') === 1;
  if (inBranches === false) return false;
  return (
    inBranches === true || inBranches === undefined || inBranches === 'undocumented' || isAtLeast(version, inBranches)
  );
}

/** Before 4.0, inputs need a Form. Since then, a Form is optional, but must contain all inputs of its screen. */
function checkForm({ version }: FlowSource, screen: ScreenSource, report: Report): void {
  const isNeeded = !isAtLeast(version, '4.0') || screen.allComponents.some(({ type }) => type === 'Form');
  if (!isNeeded) return;
  for (const component of screen.allComponents) {
    if (inputKindOf(component.type) !== undefined && !isInForm(component)) {
      const message = `Component '${component.type}' should be inside the Form of screen '${excerpt(screen.id)}'.`;
      report.error('COMPONENTS_OUTSIDE_FORM', message, component.node);
    }
  }
}

function checkNames({ allComponents }: ScreenSource, report: Report): void {
  const seen = new Set<string>();
  for (const component of allComponents) {
    const name = textOf(component.node, 'name');
    if (inputKindOf(component.type) === undefined || name === '') continue;
    if (seen.has(name)) {
      const message = `Duplicate name found for Form components: '${excerpt(name)}'.`;
      report.error('DUPLICATE_FORM_COMPONENT_NAMES', message, component.node.member('name') ?? component.node);
    }
    seen.add(name);
  }
}

function checkRichText({ version }: FlowSource, { allComponents }: ScreenSource, report: Report): void {
  const richText = allComponents.find(({ type }) => type === 'RichText');
  const mayHaveFooter = isAtLeast(version, '6.3');
  const others = allComponents.filter(({ type }) => type !== 'RichText' && !(mayHaveFooter && type === 'Footer'));
  if (richText === undefined || others.length === 0) return;
  const message = mayHaveFooter
    ? "Only a Footer can be on a screen with a 'RichText'."
    : "No other component can be on a screen with a 'RichText'.";
  report.error('INVALID_RICHTEXT_PLACEMENT', message, richText.node);
}

function checkNavigationList({ isTerminal, allComponents }: ScreenSource, report: Report): void {
  const navigationList = allComponents.find(({ type }) => type === 'NavigationList');
  if (navigationList === undefined) return;
  if (isTerminal) {
    const message = "Component 'NavigationList' is not allowed on a terminal screen.";
    report.error('INVALID_COMPONENT_PLACEMENT', message, navigationList.node);
  }
  const other = allComponents.find(({ type }) => type !== 'NavigationList');
  if (other !== undefined) {
    const message = "No other component can be on a screen with a 'NavigationList'.";
    report.error('INVALID_COMPONENT_PLACEMENT', message, other.node);
  }
}

function checkPickers({ allComponents }: ScreenSource, report: Report): void {
  const documentPicker = allComponents.find(({ type }) => type === 'DocumentPicker');
  if (documentPicker === undefined || !allComponents.some(({ type }) => type === 'PhotoPicker')) return;
  const message = "A screen can have a 'PhotoPicker' or a 'DocumentPicker', not both.";
  report.error('INVALID_COMPONENT_PLACEMENT', message, documentPicker.node);
}
