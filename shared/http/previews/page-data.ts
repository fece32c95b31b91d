import type { FlowWithJson } from '#shared/domain/flows/read-with-json.ts';
import { flowTokenOf, type PreviewRecord } from '#shared/domain/previews/preview.ts';
import { type ComponentLimits, componentLimits } from '#shared/flow-json/document/component-limits.ts';
import type { Finding } from '#shared/flow-json/validate/findings.ts';
import { validateFlowJson } from '#shared/flow-json/validate/validate.ts';
import type { Language } from '../language/language.ts';
import { type PageTexts, pageTexts } from './page-texts.ts';

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
  component_limits: ComponentLimits;
  findings: readonly PreviewFinding[];
}

/** JSON of {@link PreviewFacts} with the Flow JSON, as its owner wrote it, in `flow_json`. */
export function pageData(preview: PreviewRecord, { flow, text: flowJson }: FlowWithJson, language: Language): string {
  const facts: PreviewFacts = {
    id: preview.id,
    flow_name: flow.name,
    flow_token: flowTokenOf(preview.id),
    texts: pageTexts(language),
    component_limits: componentLimits,
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
