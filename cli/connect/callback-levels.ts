/** The levels at which the platform lets an app choose where events go. The more specific one decides. */
export const callbackLevels = ['app', 'account', 'number'] as const;
export type CallbackLevel = (typeof callbackLevels)[number];
