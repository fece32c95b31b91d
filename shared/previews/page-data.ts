import type { Finding } from '../flow-json/findings.ts';
import { TEXT_LIMITS, type TextLimits } from '../flow-json/text-limits.ts';
import { validateFlowJson } from '../flow-json/validate.ts';
import type { StoredJson } from '../flows/flow.ts';
import type { Language } from '../language/language.ts';
import type { GoodPreview } from './open-preview.ts';
import { type PageTexts, pageTexts } from './page-texts.ts';
import { flowTokenOf } from './preview.ts';

/** `undefined` when a newer text has replaced this one since the Flow was read. */
export type FlowJsonReader = (json: StoredJson) => Promise<string | undefined>;

/** What the validator says of the Flow JSON. */
export interface PreviewFinding {
  severity: 'error' | 'warning';
  /** The upstream's code. */
  error: string;
  message: string;
  /** Where in the Flow JSON, as in `screens[0].id`. */
  path: string | undefined;
}

/** What the page's script is given, beside the Flow JSON. */
export interface PreviewFacts {
  /** Of the preview, part of the address that data is exchanged at. */
  id: string;
  flow_name: string;
  flow_token: string;
  texts: PageTexts;
  text_limits: TextLimits;
  findings: readonly PreviewFinding[];
}

/** JSON of {@link PreviewFacts} with the Flow JSON, as its owner wrote it, in `flow_json`. */
export async function pageData(
  { preview, flow }: GoodPreview,
  readJson: FlowJsonReader,
  language: Language,
): Promise<string> {
  const flowJson = (await readJson(flow.json)) ?? '{}';
  const facts: PreviewFacts = {
    id: preview.id,
    flow_name: flow.name,
    flow_token: flowTokenOf(preview.id),
    texts: pageTexts(language),
    text_limits: TEXT_LIMITS,
    findings: findingsIn(flowJson),
  };
  return `${JSON.stringify(facts).slice(0, -1)},"flow_json":${flowJson}}`;
}

function findingsIn(flowJson: string): PreviewFinding[] {
  const { errors, warnings } = validateFlowJson(flowJson);
  const as = (severity: PreviewFinding['severity']) => (finding: Finding) => ({
    severity,
    error: finding.error,
    message: finding.message,
    path: finding.pointers?.[0]?.path,
  });
  return [...errors.map(as('error')), ...warnings.map(as('warning'))];
}
