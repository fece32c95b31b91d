import { maxBytes, maxScreens } from '#shared/flow-json/document/read-flow.ts';
import { checkActions } from './action-rules.ts';
import { checkComponents } from './component-rules.ts';
import { checkData, checkDynamicData, checkSchema } from './data-rules.ts';
import { type Finding, type Findings, Report } from './findings.ts';
import { Located, readSource } from './flow-source.ts';
import { checkConditions } from './form-rules.ts';
import { JsonSyntaxError, parseWithPositions } from './parse-with-positions.ts';
import { checkRouting } from './routing-rules.ts';
import { checkCounts, checkPlacement, checkScreens } from './screen-rules.ts';
import { checkDataApiVersion, checkVersion, type Rule } from './version-rules.ts';

const rules: readonly Rule[] = [
  checkDataApiVersion,
  checkSchema,
  checkScreens,
  checkCounts,
  checkPlacement,
  checkComponents,
  checkConditions,
  checkData,
  checkDynamicData,
  checkActions,
  checkRouting,
];

/**
 * Checks any text as a Flow JSON. Both lists follow the order of the text and end after 500 findings. Unlike the
 * upstream, whose rules are not all public, it reports all faults at once and not over several uploads.
 */
export function validateFlowJson(text: string): Findings {
  const report = new Report(text);
  check(text, report);
  const { errors, warnings } = report.findings;
  return { errors: errors.toSorted(byPosition), warnings: warnings.toSorted(byPosition) };
}

function check(text: string, report: Report): void {
  if (new TextEncoder().encode(text).length > maxBytes) {
    const message = `Flow JSON is not valid. The maximum size of the Flow JSON is ${maxBytes / 1024 ** 2} MB.`;
    report.error('INVALID_FLOW_JSON', message, { start: 0, end: 0, path: '' });
    return;
  }
  const document = parse(text, report);
  if (document === undefined) return;
  if (document.type !== 'object') {
    report.error('INVALID_FLOW_JSON', 'Flow JSON is not valid. It should be an object.', document);
    return;
  }
  const version = checkVersion(document, report);
  const screens = document.member('screens');
  if (screens !== undefined && screens.items().length > maxScreens) {
    const message = `Maximum number of screens allowed is ${maxScreens} but found ${screens.items().length}.`;
    report.error('MAX_SCREENS_NUMBER', message, screens);
    return;
  }
  const flow = readSource(document, version);
  for (const rule of rules) rule(flow, report);
}

function parse(text: string, report: Report): Located | undefined {
  try {
    return new Located(parseWithPositions(text));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const place = { start: error.offset, end: error.offset, path: '' };
    report.error('INVALID_FLOW_JSON', `Flow JSON is not valid. ${error.message}`, place);
    return undefined;
  }
}

function byPosition(a: Finding, b: Finding): number {
  return a.line_start - b.line_start || a.column_start - b.column_start;
}
