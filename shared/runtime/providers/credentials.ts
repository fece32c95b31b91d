import { provider } from '../provider.ts';
import { credentials as resource } from '../resources/credentials.ts';

export const credentials = /* @__PURE__ */ provider({ resource }, (opened) => opened.resource);
