import { provider } from '../provider.ts';
import { customerUrls } from '../resources/customer-urls.ts';

/** Returns what is wrong with a Flow's `endpoint_url`, without a DNS lookup. */
export const endpointUrlFault = provider({ customerUrls }, ({ customerUrls }) => customerUrls);
