import { provider } from '../provider.ts';
import { customerUrls } from '../resources/customer-urls.ts';

/** What is wrong with a Flow's `endpoint_url`, as far as its text tells. */
export const endpointUrlFault = provider({ customerUrls }, ({ customerUrls }) => customerUrls);
