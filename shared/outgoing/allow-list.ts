import { parseAllowList } from './addresses.ts';

/** What this deployment allows besides public addresses: the local world its loopback, a deployed stack nothing. */
export const outgoingAllowList = parseAllowList(process.env.OUTGOING_ALLOWED_CIDRS ?? '');
