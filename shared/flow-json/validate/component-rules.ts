import { componentTable, rulesOf } from '#shared/flow-json/document/components.ts';
import { parseReference } from '#shared/flow-json/document/expression.ts';
import { textOf } from '#shared/flow-json/document/read-flow.ts';
import {
  maxComponentsPerScreen,
  maxDropdownOptionsWithImages,
  maxOptionImageKilobytes,
  maxOptionImageKilobytesBefore6,
} from '#shared/flow-json/document/size-limits.ts';
import { decodedSize, inputKindOf, inputTypesWithPattern, isDay } from '#shared/flow-json/document/values.ts';
import { isAtLeast, type Version } from '#shared/flow-json/document/versions.ts';
import { excerpt, type Report } from './findings.ts';
import {
  type ActionSource,
  type ComponentSource,
  countAround,
  type FlowSource,
  isInForm,
  type Located,
  type ScreenSource,
} from './flow-source.ts';
import { checkForm } from './form-rules.ts';
import { patternFault } from './formats.ts';
import { checkNavigationListItems } from './navigation-rules.ts';
import type { Rule } from './version-rules.ts';

const rangeModeOnly = ['title', 'description', 'min-days', 'max-days'];
/** In a range, these are objects with `start-date` and `end-date`. */
const onePerDate = ['label', 'helper-text', 'required', 'init-value', 'error-message'];

/**
 * A CalendarPicker takes one date or two, and its properties depend on that mode. Codes are those of the validator in
 * Meta's builder (`WAFlowJSONCalendarPickerValidatorV601`). Only the phone knows a dynamic mode.
 */
function checkCalendarPicker({ node }: ComponentSource, report: Report): void {
  const mode = node.member('mode')?.string ?? 'single';
  if (mode === 'single') {
    checkSingleMode(node, report);
    return;
  }
  if (mode === 'range') checkRangeMode(node, report);
  const [min, max] = [node.member('min-days'), node.member('max-days')];
  if (min?.number !== undefined && max?.number !== undefined && min.number > max.number) {
    report.error('INVALID_MIN_MAX_DAYS', "'min-days' cannot be greater than 'max-days'.", min);
  }
}

function checkRangeMode(node: Located, report: Report): void {
  for (const name of onePerDate) {
    const property = node.member(name);
    if (property === undefined || property.string?.startsWith('$')) continue;
    if (property.type !== 'object') {
      const message = `Property '${name}' should have 'start-date' and 'end-date' in mode 'range'.`;
      report.error('INVALID_TYPE', message, property);
      continue;
    }
    const needed = name === 'label' ? ['start-date', 'end-date'] : ['start-date'];
    for (const date of needed.filter((one) => property.member(one) === undefined)) {
      const message = `Property '${name}' should have '${date}' in mode 'range'.`;
      report.error('MISSING_CALENDAR_PICKER_RANGE_MODE_PROP', message, property);
    }
  }
}

function checkSingleMode(node: Located, report: Report): void {
  for (const name of rangeModeOnly) {
    const property = node.member(name);
    const message = `Property '${name}' requires mode 'range'.`;
    if (property !== undefined) report.error('INVALID_PROPERTY_NAME_FOR_CONDITION', message, property);
  }
  for (const name of onePerDate) {
    const property = node.member(name);
    if (property?.type !== 'object') continue;
    report.error('INVALID_TYPE', `Property '${name}' should be one value in mode 'single'.`, property);
  }
}

type Check = (component: ComponentSource, report: Report, flow: FlowSource) => void;

const ranges: readonly (readonly [min: string, max: string])[] = [
  ['min-chars', 'max-chars'],
  ['min-selected-items', 'max-selected-items'],
  ['min-uploaded-photos', 'max-uploaded-photos'],
  ['min-uploaded-documents', 'max-uploaded-documents'],
];

const checksByType: Readonly<Record<string, readonly Check[]>> = {
  TextInput: [checkRanges, checkPattern],
  CheckboxGroup: [checkRanges, checkOptions],
  RadioButtonsGroup: [checkOptions],
  ChipsSelector: [checkRanges, checkOptions],
  Dropdown: [checkOptions],
  DatePicker: [checkDates],
  CalendarPicker: [checkDates, checkCalendarPicker],
  Footer: [checkCaptions],
  PhotoPicker: [checkRanges],
  DocumentPicker: [checkRanges],
  NavigationList: [checkNavigationListItems],
  Form: [checkForm],
};

/** How the properties of a component depend on each other. */
export const checkComponents: Rule = (flow, report) => {
  for (const component of flow.screens.flatMap(({ allComponents }) => allComponents)) {
    const checks = rulesOf(component.type) === undefined ? [] : (checksByType[component.type] ?? []);
    for (const check of checks) check(component, report, flow);
  }
};

function checkRanges({ type, node }: ComponentSource, report: Report): void {
  const name = node.member('name')?.string ?? '';
  for (const [min, max] of ranges) {
    const [low, high] = [numberOf(node.member(min)), numberOf(node.member(max))];
    if (low !== undefined && high !== undefined && low > high) {
      const message = `'${min}' cannot be greater than '${max}' for ${type} '${excerpt(name)}'.`;
      report.error('MIN_VALUE_GREATER_THAN_MAX', message, node.member(min) ?? node);
    }
  }
}

/** Older Flows write numbers as text. */
function numberOf(node: ComponentSource['node'] | undefined): number | undefined {
  return node?.number ?? (/^\d{1,9}$/.test(node?.string ?? '') ? Number(node?.string) : undefined);
}

function checkPattern({ node }: ComponentSource, report: Report): void {
  const pattern = node.member('pattern');
  if (pattern === undefined) return;
  const inputType = node.member('input-type');
  if (inputType?.string !== undefined && !inputTypesWithPattern.includes(inputType.string)) {
    const types = inputTypesWithPattern.join(', ');
    const message = `Property 'pattern' can only be specified when 'input-type' is one of: [${types}].`;
    report.error('INVALID_DEPENDENCIES', message, pattern);
  }
  if (node.member('helper-text') === undefined) {
    const message = "Property 'helper-text' is required when 'pattern' is specified.";
    report.error('INVALID_DEPENDENCIES', message, pattern);
  }
  const fault = patternFault(pattern.string ?? '');
  if (fault?.isUnsupported) {
    const message = `Previews do not check this pattern and accept any text: ${fault.message}. Phones may still apply it.`;
    report.warning('UNCHECKED_PATTERN', message, pattern);
  }
}

function checkDates({ node }: ComponentSource, report: Report): void {
  const [min, max] = [node.member('min-date'), node.member('max-date')];
  if (isDay(min?.string) && isDay(max?.string) && min.string > max.string) {
    report.error('INVALID_DATE_RANGE', "'min-date' cannot be after 'max-date'.", min);
  }
}

function checkCaptions({ node }: ComponentSource, report: Report): void {
  const [left, center, right] = ['left-caption', 'center-caption', 'right-caption'].map((name) => node.member(name));
  const side = left ?? right;
  if (side !== undefined && (left === undefined || right === undefined)) {
    report.error('INVALID_DEPENDENCIES', "'left-caption' and 'right-caption' should be specified together.", side);
  }
  if (center !== undefined && side !== undefined) {
    const message = "'center-caption' cannot be specified with 'left-caption' or 'right-caption'.";
    report.error('NOT_KEYWORD_SCHEMA_VALIDATION_FAILED', message, center);
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
  const takesOne = ({ component }: PickerReference) =>
    maxFilesProperties.some((name) => component.node.member(name)?.number === 1);
  const several = pickers.find((picker, index) => index > 0 || !takesOne(picker));
  if (several === undefined) return;
  const message =
    "Meta's pages disagree whether the complete action may send more than one file, or up to 10 with 100 MiB in total.";
  report.warning('INVALID_ON_CLICK_ACTION_PAYLOAD', message, several.place);
}

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

const actionProperties = ['on-select-action', 'on-unselect-action'];
const kilobyte = 1024;

/** The options of a group or a Dropdown: either images or colours, and actions on the group or on the options. */
function checkOptions({ type, node }: ComponentSource, report: Report, flow: FlowSource): void {
  const source = node.member('data-source');
  if (source === undefined) return;
  const options = source.items();
  const images = options.flatMap((option) => option.member('image') ?? []);
  if (images.length > 0 && options.some((option) => option.member('color') !== undefined)) {
    const message = "Options should have either 'image' or 'color', not both.";
    report.error('DATA_SOURCE_ITEMS_HAVE_BOTH_IMAGE_AND_COLOR', message, source);
  }
  if (type === 'Dropdown' && images.length > 0 && options.length > maxDropdownOptionsWithImages) {
    const message = `Property 'data-source' with images should have at most '${maxDropdownOptionsWithImages}' items.`;
    report.error('MAX_ITEMS_REQUIRED', message, source);
  }
  const maxKilobytes = isAtLeast(flow.version, '6.0') ? maxOptionImageKilobytes : maxOptionImageKilobytesBefore6;
  for (const image of images) {
    if (decodedSize(image.string ?? '') <= maxKilobytes * kilobyte) continue;
    const message = `Images of options can have at most ${maxKilobytes} kB.`;
    report.warning('INVALID_PROPERTY_VALUE', message, image);
  }
  if (!actionProperties.some((name) => node.member(name) !== undefined)) return;
  for (const option of options) {
    const [action] = actionProperties.flatMap((name) => option.member(name) ?? []);
    if (action === undefined) continue;
    const message = 'Actions can be on the component or on its options, not on both.';
    report.error('INVALID_DEPENDENCIES', message, action);
  }
}

/** Which components may be where, and next to which others. */
export const checkPlacement: Rule = (flow, report) => {
  for (const screen of flow.screens) {
    for (const component of screen.allComponents) checkParent(component, flow.version, report);
    checkFormPlacement(screen, report);
    checkNames(screen, report);
    checkRichText(flow, screen, report);
    checkNavigationList(screen, report);
    checkPickers(screen, report);
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
