import { isNoSuchObject, UpstreamError } from '#shared/base/upstream-error.ts';
import type { FlowRecord } from './flow.ts';
import type { UpstreamFlows } from './flows-graph.ts';

/** The upstream's code for the deletion of a Flow that is not a draft. */
const notDraft = 139004;

/**
 * Deletes a draft, and deprecates any other Flow: phones may still have it. A draft that was published in the meantime
 * is deprecated, too.
 *
 * @param status what the upstream said last; `undefined` if that is unknown
 * @returns the status in which the Flow is left, or `undefined` if it is gone
 */
export async function deleteOrDeprecate(
  waId: string,
  status: FlowRecord['status'] | undefined,
  upstream: Pick<UpstreamFlows, 'delete' | 'deprecate'>,
): Promise<'DEPRECATED' | undefined> {
  if (status === 'DEPRECATED') return status;
  if (status === 'DRAFT') {
    try {
      await upstream.delete(waId);
      return undefined;
    } catch (error) {
      if (isNoSuchObject(error)) return undefined;
      if (!(error instanceof UpstreamError) || error.code !== notDraft) throw error;
    }
  }
  await upstream.deprecate(waId);
  return 'DEPRECATED';
}
