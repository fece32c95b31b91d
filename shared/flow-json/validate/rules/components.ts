import { rulesOf } from '#shared/flow-json/document/components.ts';
import { inputTypesWithPattern } from '#shared/flow-json/document/input-kinds.ts';
import { parseDate } from '#shared/flow-json/document/values/dates.ts';
import { excerpt, type Report } from '../findings.ts';
import type { ComponentSource, FlowSource } from '../flow-source.ts';
import { patternRisks } from '../pattern-risks.ts';
import { checkCalendarPicker } from './calendar-picker.ts';
import { checkForm } from './form.ts';
import { checkNavigationListItems } from './navigation/navigation-list.ts';
import { checkOptions } from './options.ts';
import type { Rule } from './rule.ts';

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
  for (const risk of patternRisks(pattern.string ?? '')) {
    report.warning('UNCHECKED_PATTERN', `Property 'pattern' ${risk}.`, pattern);
  }
}

function checkDates({ node }: ComponentSource, report: Report, { version }: FlowSource): void {
  const [min, max] = [node.member('min-date'), node.member('max-date')];
  const [from, to] = [parseDate(min?.string, version), parseDate(max?.string, version)];
  if (min !== undefined && from !== undefined && to !== undefined && from > to) {
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
