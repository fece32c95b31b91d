import { previewAssets } from '#shared/http/previews/assets.ts';
import { provider } from '../provider.ts';

/** The preview page's files. The build puts them beside the function whose module has this URL. */
export const assetsBeside = (moduleUrl: string) => provider({}, () => previewAssets(new URL('./assets/', moduleUrl)));
