/** Part of every name and text that the tests send. No log may show it. */
export const canary = 'canary';
