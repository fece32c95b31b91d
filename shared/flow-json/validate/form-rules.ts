import { parseReference } from '#shared/flow-json/document/expression.ts';
import { maxIfNesting, withDescendants } from '#shared/flow-json/document/read-flow.ts';
import { type InputKind, inputKindOf } from '#shared/flow-json/document/values.ts';
import { isAtLeast, type Version } from '#shared/flow-json/document/versions.ts';
import { isDynamic } from './check-shape.ts';
import { excerpt, type Place, type Report } from './findings.ts';
import {
  type ComponentSource,
  countAround,
  type FlowSource,
  inputsAmong,
  isInForm,
  type JsonTypeName,
  type Located,
} from './flow-source.ts';
import { type Context, checkExpression, isCompatible } from './value-types.ts';
import type { Rule } from './version-rules.ts';

const typesByKind: Readonly<Record<InputKind, readonly JsonTypeName[]>> = {
  string: ['string', 'number'],
  strings: ['array'],
  boolean: ['boolean'],
  period: ['string', 'object'],
  media: [],
};
const typesCheckedSince = '7.0';

/** Inputs other than pickers of files have these of their own only outside a Form (Meta's page "Components"). */
const ownOutsideForms = ['init-value', 'error-message'];

/** The initial values and errors that a Form gives its inputs, by name. (A Form in a Form is an error anyway.) */
export function checkForm(form: ComponentSource, report: Report, flow: FlowSource): void {
  if (isInForm(form)) return;
  const inputs = inputsAmong([...form.branches.values()].flatMap((branch) => withDescendants(branch)));
  checkInitValues(form, inputs, report, flow);
  for (const { name, key } of form.node.member('error-messages')?.members() ?? []) {
    if (!inputs.has(name)) reportUnknown('error-messages', name, key, report);
  }
  for (const { node, type } of inputs.values()) {
    if (inputKindOf(type) === 'media') continue;
    for (const name of ownOutsideForms) {
      const own = node.member(name);
      if (own === undefined) continue;
      report.error('INVALID_PROPERTY_KEY', `Inside a Form, '${name}' is given in the '${name}s' of the Form.`, own);
    }
  }
}

function checkInitValues(
  form: ComponentSource,
  inputs: ReadonlyMap<string, ComponentSource>,
  report: Report,
  { version }: FlowSource,
): void {
  for (const { name, key, value } of form.node.member('init-values')?.members() ?? []) {
    const input = inputs.get(name);
    const kind = input && inputKindOf(input.type);
    if (input === undefined || kind === undefined) {
      reportUnknown('init-values', name, key, report);
    } else if (kind === 'media') {
      const message = `Component '${input.type}' cannot have an initial value.`;
      report.error('NATIVE_COMPONENT_IN_FORM_INIT_VALUES', message, key);
    } else if (isAtLeast(version, typesCheckedSince) && !isOfType(value, kind, version)) {
      const message = `Expected the initial value of '${excerpt(name)}' to be of type '${typesByKind[kind].join("' or '")}' but found '${value.type}'.`;
      report.error('INVALID_PROPERTY_TYPE', message, value);
    }
  }
}

function isOfType({ type, string }: Located, kind: InputKind, version: Version): boolean {
  return typesByKind[kind].includes(type) || (string !== undefined && isDynamic(string, version));
}

function reportUnknown(property: string, name: string, key: Place, report: Report): void {
  const message = `Property '${property}' has a value for '${excerpt(name)}', which is not in the Form.`;
  report.error('INVALID_PROPERTY_VALUE', message, key);
}

const caseNamePattern = /^[a-zA-Z][a-zA-Z0-9_-]*$/;

/** The conditions of Ifs, the values and cases of Switches, and the Footers in both. */
export const checkConditions: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    for (const component of screen.allComponents) {
      if (component.type === 'If') checkIf(component, { flow, screen, report });
      if (component.type === 'Switch') checkSwitch(component, report);
    }
  }
};

function checkIf(component: ComponentSource, context: Context): void {
  const { node } = component;
  const { report } = context;
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
  if (condition?.string !== undefined) checkCondition(condition, condition.string, context);
}

function checkCondition(node: Located, text: string, context: Context): void {
  const { report } = context;
  const checked = checkExpression(text, node, context);
  if (checked === undefined) return;
  if (!checked.hasReferences) {
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
