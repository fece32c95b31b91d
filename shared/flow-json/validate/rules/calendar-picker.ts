import type { Report } from '../findings.ts';
import type { ComponentSource } from '../flow-source.ts';
import type { Located } from '../located.ts';

const rangeModeOnly = ['title', 'description', 'min-days', 'max-days'];
/** In a range, these are objects with `start-date` and `end-date`. */
const onePerDate = ['label', 'helper-text', 'required', 'init-value', 'error-message'];

/** A CalendarPicker takes one date or two, and its properties depend on that mode. */
export function checkCalendarPicker({ node }: ComponentSource, report: Report): void {
  const isRange = node.member('mode')?.string === 'range';
  if (isRange) checkRangeMode(node, report);
  else checkSingleMode(node, report);
  const [min, max] = [node.member('min-days'), node.member('max-days')];
  if (min?.number !== undefined && max?.number !== undefined && min.number > max.number) {
    report.error('INVALID_MIN_MAX_DAYS', "'min-days' cannot be greater than 'max-days'.", min);
  }
}

function checkRangeMode(node: Located, report: Report): void {
  for (const name of onePerDate) {
    const property = node.member(name);
    const isWhole = property === undefined || property.type === 'object' || property.string?.startsWith('$');
    if (!isWhole) {
      const message = `Property '${name}' should have 'start-date' and 'end-date' in mode 'range'.`;
      report.error('MISSING_CALENDAR_PICKER_RANGE_MODE_PROP', message, property);
    }
  }
  const label = node.member('label');
  const missing = ['start-date', 'end-date'].find((name) => label?.type === 'object' && !label.member(name));
  if (label !== undefined && missing !== undefined) {
    const message = `Property 'label' should have '${missing}' in mode 'range'.`;
    report.error('MISSING_CALENDAR_PICKER_RANGE_MODE_PROP', message, label);
  }
}

function checkSingleMode(node: Located, report: Report): void {
  const unexpected = (property: Located, name: string) =>
    report.error(
      'UNEXPECTED_CALENDAR_PICKER_RANGE_MODE_PROP',
      `Property '${name}' as written requires mode 'range'.`,
      property,
    );
  for (const name of rangeModeOnly) {
    const property = node.member(name);
    if (property !== undefined) unexpected(property, name);
  }
  for (const name of onePerDate) {
    const property = node.member(name);
    if (property?.type !== 'object') continue;
    if (name === 'init-value') {
      const message = "Property 'init-value' should be one date in mode 'single'.";
      report.error('INVALID_DATE_SINGLE_INIT_VALUE_FORMAT', message, property);
    } else {
      unexpected(property, name);
    }
  }
}
