import type { PreviewRecord } from '#shared/domain/previews/preview.ts';

/**
 * The cookie that keeps a preview open in one browser. It is named after its preview, so that several may be open at
 * once: `__Host-` cookies (RFC 6265bis) are not bound to a path. Without https, as in the local world, browsers take
 * neither that prefix nor `Secure`.
 */
export const sessionCookieName = (preview: string, baseUrl: string): string =>
  `${isSecure(baseUrl) ? '__Host-' : ''}preview-${preview}`;

/** The value of `Set-Cookie`; the cookie ends with its preview. */
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
