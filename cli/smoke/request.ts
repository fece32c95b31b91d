/** Responses take less than 30 s: API Gateway ends what takes longer. */
const patienceMs = 40_000;

/** Sends a request, or throws an error that names the address, the cause and what to do. */
export async function send(url: string | URL, init: RequestInit, stop: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]) });
  } catch (error) {
    if (stop.aborted) throw error;
    throw new Error(`${init.method ?? 'GET'} ${address(url)} got no response: ${describe(error, new URL(url))}`);
  }
}

/** Without the signature of a signed URL. */
const address = (url: string | URL) => String(url).replace(/\?.*$/s, '');

function describe(error: unknown, { hostname }: URL): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `nothing came within ${patienceMs / 1000} s.`;
  // What fetch throws only says that it failed.
  const cause: Error & { code?: string } = error.cause instanceof Error ? error.cause : error;
  const code = cause.code ?? '';
  const reason = cause.message || code;
  return `${reason}. ${adviceOn(code, hostname)}`.trim();
}

function adviceOn(code: string, host: string): string {
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
    return `DNS has no address for ${host}. If it is your custom domain, point DNS at the output DomainTarget (docs/deploying.md, "Custom domain").`;
  }
  if (code === 'ECONNREFUSED')
    return `Nothing listens at ${host}: is the local world running, or does DNS lead elsewhere?`;
  if (/CERT|TLS|SELF_SIGNED/.test(code)) {
    return `The server at ${host} has no certificate for it: does DNS lead to the API, and is the domain mapped to it?`;
  }
  return 'Check the network, and whether a firewall or proxy is in between.';
}
