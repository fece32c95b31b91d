import type { FlowRecord } from '#shared/domain/flows/flow.ts';

/** Documents the response header of operations that edit a Flow. */
export const unpublishedHeader = {
  'X-Flow-Unpublished':
    '`true` if the edit took a published Flow offline: it is a draft until you publish it again. Otherwise absent',
} as const;

/** Warns a client whose edit turned a published Flow into a draft. */
export function reportUnpublished(
  before: Pick<FlowRecord, 'status'>,
  after: Pick<FlowRecord, 'status'> | undefined,
  addHeader: (name: string, value: string) => void,
): void {
  if (before.status === 'PUBLISHED' && after?.status === 'DRAFT') addHeader('x-flow-unpublished', 'true');
}
