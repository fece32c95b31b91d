import type { FlowWithJson } from '#shared/domain/flows/read-with-json.ts';
import { flowTokenOf, type PreviewRecord } from '#shared/domain/previews/preview.ts';
import { type ComponentLimits, componentLimits } from '#shared/flow-json/document/component-limits.ts';
import type { Finding } from '#shared/flow-json/validate/findings.ts';
import { validateFlowJson } from '#shared/flow-json/validate/validate.ts';
import type { Language } from '../language/language.ts';
import { type PageTexts, pageTexts } from './page-texts.ts';

/** A finding of the validator about the Flow JSON. */
export interface PreviewFinding {
  severity: 'error' | 'warning';
  /** The upstream's error code. */
  error: string;
  message: string;
  /** The position in the Flow JSON, such as `screens[0].id`. */
  path: string | undefined;
}

/** What the page's script gets in addition to the Flow JSON. */
export interface PreviewFacts {
  /** The preview's id, part of the address at which the page exchanges data. */
  id: string;
  flow_name: string;
  flow_token: string;
  texts: PageTexts;
  component_limits: ComponentLimits;
  findings: readonly PreviewFinding[];
}

/** Builds the JSON of {@link PreviewFacts}, with the Flow JSON as `flow_json`, exactly as its owner wrote it. */
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
