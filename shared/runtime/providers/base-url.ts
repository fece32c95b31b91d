import { provider } from '../provider.ts';
import { api } from '../resources/api.ts';

/** Address of the API, without a trailing slash. */
export const baseUrl = provider({ api }, ({ api }) => api.baseUrl);
