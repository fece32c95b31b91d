/**
 * The id that the platform gives a person for one business, `BR.13491208655302741918`, or for several businesses that
 * belong together: a parent user id, with `ENT.`.
 */
const userId = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;

export function isUserId(text: string): boolean {
  return userId.test(text);
}
