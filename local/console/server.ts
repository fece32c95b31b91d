import { createServer, type RequestListener } from 'node:http';
import { localRequests } from '../aws/base/http/local-requests.ts';
import { type LoopbackServer, listenOnLoopback } from '../aws/base/http/loopback.ts';
import { consoleStyle } from './page.ts';

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** Serves the page that shows a newcomer around the running world. */
export function startConsole(port: number, page: string, hosts?: readonly string[]): Promise<LoopbackServer> {
  const pages: Record<string, { type: string; body: string }> = {
    '/': { type: 'text/html; charset=utf-8', body: page },
    '/style.css': { type: 'text/css; charset=utf-8', body: consoleStyle },
  };
  const show: RequestListener = ({ url = '/' }, response) => {
    const file = Object.hasOwn(pages, url) ? pages[url] : undefined;
    response.writeHead(file ? 200 : 404, { ...headers, 'content-type': file?.type ?? 'text/plain' });
    response.end(file?.body ?? 'Not found\n');
  };
  return listenOnLoopback(createServer(localRequests(show, { hosts })), port);
}
