import { markOf } from '#shared/base/mark.ts';
import { checkUrl, parseAllowList, parseOwnAddresses } from '#shared/egress/url-rules.ts';

/** The deployment that handlers belong to in tests. */
export const mark = markOf('00000000-0000-4000-8000-00000000d0d0');

const isOwn = parseOwnAddresses('https://api.example.com,https://abcdef.execute-api.us-east-1.amazonaws.com');
const publicOnly = parseAllowList('');

/** Returns what is wrong with a customer's URL in that deployment. */
export const endpointUrlFault = (url: string) => checkUrl(url, publicOnly, isOwn);
