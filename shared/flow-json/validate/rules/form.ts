import { type InputKind, inputKindOf } from '#shared/flow-json/document/input-kinds.ts';
import { withDescendants } from '#shared/flow-json/document/read-flow.ts';
import { isAtLeast } from '#shared/flow-json/document/versions.ts';
import { isDynamic } from '../dynamic-value.ts';
import { excerpt, type Report } from '../findings.ts';
import { type ComponentSource, type FlowSource, inputsAmong, isInForm } from '../flow-source.ts';
import type { JsonTypeName } from '../located.ts';

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
    } else if (isAtLeast(version, typesCheckedSince) && !isOfType(value.type, kind, value.string, version)) {
      const message = `Expected the initial value of '${excerpt(name)}' to be of type '${typesByKind[kind].join("' or '")}' but found '${value.type}'.`;
      report.error('INVALID_PROPERTY_TYPE', message, value);
    }
  }
}

function isOfType(
  type: JsonTypeName,
  kind: InputKind,
  text: string | undefined,
  version: FlowSource['version'],
): boolean {
  return typesByKind[kind].includes(type) || (text !== undefined && isDynamic(text, version));
}

function reportUnknown(property: string, name: string, key: Parameters<Report['error']>[2], report: Report): void {
  const message = `Property '${property}' has a value for '${excerpt(name)}', which is not in the Form.`;
  report.error('INVALID_PROPERTY_VALUE', message, key);
}
