import type { Report } from '../findings.ts';
import type { ComponentSource } from '../flow-source.ts';
import type { Located } from '../located.ts';

const rangeModeOnly = ['title', 'description', 'min-days', 'max-days'];
/** In a range, these are objects with `start-date` and `end-date`. */
const onePerDate = ['label', 'helper-text', 'required', 'init-value', 'error-message'];

/**
 * A CalendarPicker takes one date or two, and its properties depend on that mode. Codes are those of the validator in
 * Meta's builder (`WAFlowJSONCalendarPickerValidatorV601`). Only the phone knows a dynamic mode.
 */
export function checkCalendarPicker({ node }: ComponentSource, report: Report): void {
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
