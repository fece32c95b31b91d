import type { PreviewRecord } from '#shared/domain/previews/preview.ts';

/**
 * Names the cookie that keeps a preview open in one browser. The name contains the preview's id, because several
 * previews may be open in parallel and `__Host-` cookies (RFC 6265bis) are not bound to a path. Without https, as in
 * the local world, browsers accept neither that prefix nor `Secure`.
 */
export const sessionCookieName = (preview: string, baseUrl: string): string =>
  `${isSecure(baseUrl) ? '__Host-' : ''}preview-${preview}`;

/** Returns the value of `Set-Cookie`. The cookie expires with its preview. */
export function sessionCookie(
  { id, session, valid_until }: PreviewRecord,
  { baseUrl, now }: { baseUrl: string; now: number },
): string {
  const seconds = Math.max(0, Math.floor((valid_until - now) / 1000));
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
  if (isSecure(baseUrl)) attributes.push('Secure');
  return [`${sessionCookieName(id, baseUrl)}=${session}`, ...attributes].join('; ');
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
