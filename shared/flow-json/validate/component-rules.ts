import { rulesOf } from '#shared/flow-json/document/components.ts';
import {
  maxDropdownOptionsWithImages,
  maxOptionImageKilobytes,
  maxOptionImageKilobytesBefore6,
} from '#shared/flow-json/document/read-flow.ts';
import { decodedSize, inputTypesWithPattern, isDay } from '#shared/flow-json/document/values.ts';
import { isAtLeast } from '#shared/flow-json/document/versions.ts';
import { patternFault } from './check-shape.ts';
import { excerpt, type Report } from './findings.ts';
import type { ComponentSource, FlowSource, Located } from './flow-source.ts';
import { checkForm } from './form-rules.ts';
import type { Rule } from './version-rules.ts';

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

/** The items of a NavigationList: one action for all or one each, one badge, and no `end` with large media. */
export function checkNavigationListItems({ node }: ComponentSource, report: Report): void {
  const items = (node.member('list-items')?.items() ?? []).filter(({ type }) => type === 'object');
  for (const item of items) {
    checkItemAction(node, item, report);
    checkEnd(node, item, report);
  }
  const [, second] = items.flatMap((item) => item.member('badge') ?? []);
  if (second !== undefined) {
    report.error('INVALID_PROPERTY_VALUE', "Only one item of a NavigationList can have a 'badge'.", second);
  }
}

function checkItemAction(list: Located, item: Located, report: Report): void {
  const [ofList, ofItem] = [list.member('on-click-action'), item.member('on-click-action')];
  if (ofList === undefined && ofItem === undefined) {
    report.error('MISSING_REQUIRED_PROPERTY', "Required property 'on-click-action' is missing.", item);
  } else if (ofList !== undefined && ofItem !== undefined) {
    const message = "'on-click-action' can be on the NavigationList or on its items, not on both.";
    report.error('INVALID_DEPENDENCIES', message, ofItem);
  }
}

function checkEnd(list: Located, item: Located, report: Report): void {
  const end = item.member('end');
  if (end === undefined || list.member('media-size')?.string !== 'large') return;
  const message = "Property 'end' cannot be specified when 'media-size' is 'large'.";
  report.error('INVALID_DEPENDENCIES', message, end);
}
