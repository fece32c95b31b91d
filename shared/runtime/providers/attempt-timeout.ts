import { provider } from '../provider.ts';
import { outgoing } from '../resources/outgoing.ts';

/** Milliseconds for one attempt in all. */
export const timeoutMs = provider({ outgoing }, ({ outgoing }) => outgoing.timeoutMs);
