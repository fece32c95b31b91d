import type { FlowRecord } from '#shared/domain/flows/flow.ts';

const becameDraft = 'published_flow_became_draft';

/** Documents the response header of operations that edit a Flow. */
export const editWarningHeader = {
  'X-Warning': `\`${becameDraft}\` if the edit took a published Flow offline: it is a draft until you publish it again (docs/sending.md). Otherwise absent`,
} as const;

/** Warns a client whose edit turned a published Flow into a draft. */
export function warnOfDraft(
  before: Pick<FlowRecord, 'status'>,
  after: Pick<FlowRecord, 'status'> | undefined,
  addHeader: (name: string, value: string) => void,
): void {
  if (before.status === 'PUBLISHED' && after?.status === 'DRAFT') addHeader('x-warning', becameDraft);
}
