/** Part of every name and text that the tests send, none of which a log may show. */
export const canary = 'canary';
