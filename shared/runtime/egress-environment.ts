import { parseAllowList } from '#shared/adapters/egress/addresses.ts';
import { parseOwnAddresses } from '#shared/adapters/egress/own-addresses.ts';

/** What this deployment allows besides public addresses: the local world its loopback, a deployed stack nothing. */
export const outgoingAllowList = parseAllowList(process.env.OUTGOING_ALLOWED_CIDRS ?? '');

/** The addresses of this deployment's API: its own, and the custom domain before it. */
export const ownAddresses = parseOwnAddresses(process.env.OWN_URLS ?? '');
