import { createServer, type RequestListener } from 'node:http';
import { localRequests } from '../aws/base/http/local-requests.ts';
import { type LoopbackServer, listenOnLoopback } from '../aws/base/http/loopback.ts';
import type { WorldAddresses } from '../world-description.ts';

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** Serves the console of a live world: one page that says so. */
export function serveLivePage(
  port: number,
  addresses: WorldAddresses,
  hosts?: readonly string[],
): Promise<LoopbackServer> {
  const pages: Record<string, { type: string; body: string }> = {
    '/': { type: 'text/html; charset=utf-8', body: livePage(addresses) },
    '/style.css': { type: 'text/css; charset=utf-8', body: style },
  };
  const show: RequestListener = ({ url = '/' }, response) => {
    const file = Object.hasOwn(pages, url) ? pages[url] : undefined;
    response.writeHead(file ? 200 : 404, { ...headers, 'content-type': file?.type ?? 'text/plain' });
    response.end(file?.body ?? 'Not found\n');
  };
  return listenOnLoopback(createServer(localRequests(show, { hosts })), port);
}

/** The page of a live world, which shows no secrets and no data. */
function livePage({ base_url, public_url = '', upstream_url }: WorldAddresses): string {
  return page(
    'Live world',
    `<p><strong>This world is live.</strong> It uses the real WhatsApp platform: what you send here reaches people and may
cost money.</p>
${table(
  'Addresses',
  ['What', 'Where'],
  [
    ['API, on this machine only', base_url],
    ['API description', `${base_url}/v2/openapi.json`],
    ['Events of the platform, on the internet', `${public_url}/v2/messaging/events`],
    ['WhatsApp platform', upstream_url],
  ],
)}
<h2>Look into it</h2>
<pre tabindex="0">npm run admin -- workspace list --live
npm run admin -- doctor --live</pre>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
<main>
<h1>${title}</h1>
${content}
</main>
</html>
`;
}

const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h1, h2 { line-height: 1.2; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.1rem; }
pre { padding: 0.75rem 1rem; overflow-x: auto; border: 1px solid #8886; border-radius: 0.5rem; background: #8881; }
div { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid #8884; text-align: left; }
td { font-family: ui-monospace, monospace; font-size: 0.85rem; overflow-wrap: anywhere; }
`;

function table(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: 'th' | 'td', texts: readonly string[]) =>
    texts.map((text) => `<${tag}>${tag === 'td' ? linked(text) : escapeHtml(text)}</${tag}>`).join('');
  return `<h2>${escapeHtml(title)}</h2>
<div><table>
<thead><tr>${cells('th', columns)}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')}
</tbody>
</table></div>`;
}

function linked(text: string): string {
  const escaped = escapeHtml(text);
  return /^https?:\/\//.test(text) ? `<a href="${escaped}">${escaped}</a>` : escaped;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
