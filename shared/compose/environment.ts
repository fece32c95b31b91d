import { api } from '#shared/operations/resources/api.ts';
import { provider } from '#shared/operations/serve.ts';
import { previewAssets } from '#shared/previews/preview-assets.ts';

/** Address of the API, without a trailing slash. */
export const baseUrl = /* @__PURE__ */ provider({ api }, ({ api }) => api.baseUrl);

/** Address of the API for the platform and for people without a token. It differs only while a tunnel leads here. */
export const publicUrl = /* @__PURE__ */ provider({ api }, ({ api }) => api.publicUrl);

/** The preview page's files. The build puts them beside the function whose module has this URL. */
export const assetsBeside = (moduleUrl: string) => provider({}, () => previewAssets(new URL('./assets/', moduleUrl)));

/** Returns random numbers in [0, 1). */
export const random = /* @__PURE__ */ provider({}, () => Math.random);
