import { provider } from '../provider.ts';
import { egress } from '../resources/egress.ts';

/** Milliseconds for one whole attempt. */
export const timeoutMs = provider({ egress }, ({ egress }) => egress.timeoutMs);
