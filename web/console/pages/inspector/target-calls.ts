import type { ShownTarget } from '#local/console/console-values.ts';
import { make } from '../../calls.ts';

const pathOf = ({ subscriber, isWorkspace }: ShownTarget) =>
  isWorkspace ? `/v2/workspaces/${subscriber}/webhook` : `/v2/messaging/numbers/${subscriber}/webhook`;

export const setUrl = (target: ShownTarget, url: string) =>
  make({ to: 'service', method: 'PUT', path: pathOf(target), body: { [target.target]: url } });

/** Closes the breaker of the target, and delivers what was held. */
export const resume = (target: ShownTarget) =>
  make({
    to: 'service',
    method: 'POST',
    path: `${pathOf(target)}/resume`,
    body: target.isWorkspace ? {} : { target: target.target },
  });
