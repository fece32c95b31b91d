/** Ids are opaque, but they become part of paths and keys, so other characters and long ids are rejected. */
const mediaId = /^[\w-][\w.-]{0,127}$/;

export const isMediaId = (text: string): boolean => mediaId.test(text);
