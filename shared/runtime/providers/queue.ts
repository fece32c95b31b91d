import { provider } from '../provider.ts';
import { queue as resource } from '../resources/queue.ts';

export const queue = /* @__PURE__ */ provider({ resource }, (opened) => opened.resource);
