import { componentTable, rulesOf } from '#shared/flow-json/document/components.ts';
import { isReservedScreenId, maxComponentsPerScreen, textOf } from '#shared/flow-json/document/read-flow.ts';
import { inputKindOf } from '#shared/flow-json/document/values.ts';
import { isAtLeast, type Version } from '#shared/flow-json/document/versions.ts';
import { excerpt, type Report } from './findings.ts';
import {
  type ComponentSource,
  countAround,
  type FlowSource,
  isInForm,
  type Located,
  type ScreenSource,
} from './flow-source.ts';
import type { Rule } from './version-rules.ts';

/** Ids, terminal screens, and the properties that depend on them. */
export const checkScreens: Rule = (flow, report) => {
  checkIds(flow, report);
  checkTerminals(flow, report);
  for (const screen of flow.screens) {
    checkRefreshOnBack(flow, screen, report);
    checkSensitive(screen, report);
  }
};

function checkIds({ screens, version }: FlowSource, report: Report): void {
  const seen = new Set<string>();
  for (const { node } of screens) {
    const id = node.member('id');
    if (id?.string === undefined) continue;
    checkId(id, id.string, version, report);
    if (seen.has(id.string)) {
      report.error('DUPLICATE_SCREEN_IDS', `Duplicate screen id found: '${excerpt(id.string)}'.`, id);
    }
    seen.add(id.string);
  }
}

function checkId(node: Located, id: string, version: Version, report: Report): void {
  const pattern = isAtLeast(version, '7.0') ? /^(?!_+$)[a-zA-Z_]+$/ : /^[a-zA-Z,_]+$/;
  if (id === '') return;
  if (!pattern.test(id)) {
    report.error('PATTERN_MISMATCH', "Property 'id' should only consist of alphabets and underscores.", node);
  } else if (isReservedScreenId(id)) {
    const message = `Screen id '${id}' is a reserved keyword.`;
    report.error('SCREEN_ID_IS_RESERVED_KEYWORD', message, node);
  }
}

function checkTerminals({ document, screens }: FlowSource, report: Report): void {
  const terminals = screens.filter(({ isTerminal }) => isTerminal);
  const list = document.member('screens') ?? document;
  if (screens.length > 0 && terminals.length === 0) {
    report.error('MISSING_TERMINAL_SCREEN', 'Flow JSON should have at least one terminal screen.', list);
  } else if (terminals.length > 0 && terminals.every(({ node }) => node.member('success')?.value === false)) {
    const message = "At least one terminal screen should have property 'success' set to 'true'.";
    report.error('INVALID_PROPERTY_VALUE', message, list);
  }
  for (const { node, isTerminal } of screens) {
    const success = node.member('success');
    if (success !== undefined && !isTerminal) {
      const message = "Property 'success' can only be specified on a terminal screen.";
      report.error('NOT_KEYWORD_SCHEMA_VALIDATION_FAILED', message, success);
    }
  }
  for (const screen of terminals) {
    if (!screen.allComponents.some(({ type }) => type === 'Footer') && screen.node.member('layout') !== undefined) {
      const message = `Missing Footer component on terminal screen '${excerpt(screen.id)}'.`;
      report.error('MISSING_FOOTER_ON_TERMINAL_SCREEN', message, screen.node);
    }
  }
}

function checkRefreshOnBack({ dataApiVersion }: FlowSource, { node }: ScreenSource, report: Report): void {
  const refresh = node.member('refresh_on_back');
  if (refresh?.value === true && dataApiVersion === undefined) {
    const message = "Property 'refresh_on_back' can only be specified with 'data_api_version'.";
    report.error('INVALID_PROPERTY_VALUE', message, refresh);
  }
}

function checkSensitive({ node, inputs }: ScreenSource, report: Report): void {
  for (const field of node.member('sensitive')?.items() ?? []) {
    if (field.string !== undefined && !inputs.has(field.string)) {
      const message = `Sensitive field '${excerpt(field.string)}' is not a Form component of the screen.`;
      report.error('INVALID_SENSITIVE_FIELD', message, field);
    }
  }
}

const unlimited = Number.POSITIVE_INFINITY;

/** How many components a screen and a Flow may have, in total and of each type. */
export const checkCounts: Rule = ({ document, version, screens }, report) => {
  for (const { components, node } of screens) {
    const total = count(components, () => true);
    if (total <= maxComponentsPerScreen) continue;
    const message = `Maximum number of components allowed per screen is ${maxComponentsPerScreen} but found ${total}.`;
    report.error('MAX_ALLOWED_COMPONENTS_PER_SCREEN', message, node);
  }
  for (const [name, rules] of Object.entries(componentTable)) {
    const { maxPerScreen = unlimited, maxPerScreenSince = version, maxPerFlow = unlimited } = rules;
    let inFlow = 0;
    for (const { components, node } of screens) {
      const found = count(components, ({ type }) => type === name);
      inFlow += found;
      if (found <= maxPerScreen || !isAtLeast(version, maxPerScreenSince)) continue;
      const message = `Maximum number of ${name} allowed per screen is ${maxPerScreen} but found ${found}.`;
      report.error(name === 'Footer' ? 'MORE_THAN_ONE_FOOTER' : 'COMPONENT_TYPE_MAX_NUMBER_PER_SCREEN', message, node);
    }
    if (inFlow <= maxPerFlow) continue;
    const message = `Maximum number of ${name} allowed per Flow is ${maxPerFlow} but found ${inFlow}.`;
    report.error('COMPONENT_TYPE_MAX_NUMBER_PER_SCREEN', message, document);
  }
};

/** Only one branch of an If or a Switch is ever shown, so the fullest counts. */
function count(components: readonly ComponentSource[], matches: (component: ComponentSource) => boolean): number {
  let total = 0;
  for (const component of components) {
    const branches = [...component.branches.values()].map((branch) => count(branch, matches));
    total += (matches(component) ? 1 : 0) + branches.reduce((max, branch) => Math.max(max, branch), 0);
  }
  return total;
}

/** Which components may be where, and next to which others. */
export const checkPlacement: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    for (const component of screen.allComponents) checkParent(component, flow.version, report);
    checkFormPlacement(screen, report);
    checkNames(screen, report);
    checkExclusions(flow, screen, report);
    checkNavigationList(screen, report);
  }
};

function checkParent(component: ComponentSource, version: Version, report: Report): void {
  const { type, node, parent } = component;
  if (parent === undefined || rulesOf(type) === undefined) return;
  const isAllowed = parent.type === 'Form' ? type !== 'Form' : isAllowedInBranch(component, version);
  if (isAllowed) return;
  report.error('INVALID_COMPONENT_PLACEMENT', `Component '${type}' is not allowed in '${parent.type}'.`, node);
}

function isAllowedInBranch(component: ComponentSource, version: Version): boolean {
  const { type, parent } = component;
  const inBranches = rulesOf(type)?.inBranches ?? version;
  if (type === 'If' && parent?.type === 'Switch') return false;
  if (type === 'Footer') return countAround(component, 'If', 'Switch') === 1;
  return inBranches !== false && isAtLeast(version, inBranches);
}

/** A Form is optional, but must contain all inputs of its screen. */
function checkFormPlacement(screen: ScreenSource, report: Report): void {
  if (!screen.allComponents.some(({ type }) => type === 'Form')) return;
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

/** What a component of a type does not stand beside on its screen. */
interface Exclusion {
  readonly type: string;
  readonly excludes: (type: string, version: Version) => boolean;
  readonly code: string;
}

const exclusions: readonly Exclusion[] = [
  {
    type: 'RichText',
    excludes: (type, version) => type !== 'RichText' && !(type === 'Footer' && isAtLeast(version, '6.3')),
    code: 'INVALID_RICHTEXT_PLACEMENT',
  },
  {
    type: 'NavigationList',
    excludes: (type) => type !== 'NavigationList',
    code: 'INVALID_COMPONENT_PLACEMENT',
  },
  {
    type: 'PhotoPicker',
    excludes: (type) => type === 'DocumentPicker',
    code: 'INVALID_COMPONENT_PLACEMENT',
  },
];

function checkExclusions({ version }: FlowSource, { allComponents }: ScreenSource, report: Report): void {
  for (const { type, excludes, code } of exclusions) {
    if (!allComponents.some((component) => component.type === type)) continue;
    const other = allComponents.find((component) => excludes(component.type, version));
    if (other === undefined) continue;
    report.error(code, `Component '${excerpt(other.type)}' cannot be on a screen with a '${type}'.`, other.node);
  }
}

function checkNavigationList({ isTerminal, allComponents }: ScreenSource, report: Report): void {
  const navigationList = allComponents.find(({ type }) => type === 'NavigationList');
  if (navigationList === undefined || !isTerminal) return;
  const message = "Component 'NavigationList' is not allowed on a terminal screen.";
  report.error('INVALID_COMPONENT_PLACEMENT', message, navigationList.node);
}
