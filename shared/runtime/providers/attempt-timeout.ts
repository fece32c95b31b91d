import { provider } from '../provider.ts';
import { outgoing } from '../resources/outgoing.ts';

/** Milliseconds for one whole attempt. */
export const timeoutMs = provider({ outgoing }, ({ outgoing }) => outgoing.timeoutMs);
