/**
 * The upstream's ids of media are numbers. Other texts never become part of a path, where Graph has names such as `me`.
 */
const mediaId = /^\d{1,64}$/;

export const isMediaId = (text: string): boolean => mediaId.test(text);
