import { queue as resource } from '#shared/operations/resources/queue.ts';
import { provider } from '#shared/operations/serve.ts';

export const queue = /* @__PURE__ */ provider({ resource }, (opened) => opened.resource);
