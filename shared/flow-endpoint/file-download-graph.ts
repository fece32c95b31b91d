import { log } from '#shared/base/logger.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { tlsSessions } from '#shared/egress/connect.ts';
import { EgressError } from '#shared/egress/egress-error.ts';
import { get } from '#shared/egress/get.ts';
import { type AllowList, checkUrl, type OwnAddresses, type Resolve, resolveName } from '#shared/egress/url-rules.ts';
import { MediaError } from '#shared/media/media-error.ts';
import { isTrusted } from '#shared/media/media-graph.ts';
import { maxEncryptedBytes, maxFileBytes } from './picked-file.ts';

export interface FileDownloadSettings {
  /** The URL of Graph, on whose host a local world has its files. */
  baseUrl: string;
  /** The domains, with their subdomains, from which files may come. */
  hosts: readonly string[];
  allowList: AllowList;
  isOwn: OwnAddresses;
  resolve?: Resolve;
  timeoutMs: number;
}

const connectTimeoutMs = 3_000;

export type FileDownload = ReturnType<typeof fileDownload>;

/**
 * Reads encrypted files of Flows. The phone names their addresses, so only the platform's hosts are asked, over the
 * guarded connection, with nothing of ours, and no redirect is followed.
 */
export function fileDownload({ baseUrl, hosts, allowList, isOwn, ...others }: FileDownloadSettings) {
  const { resolve = resolveName, timeoutMs } = others;
  const connecting = { allowList, resolve, connectTimeoutMs, sessions: tlsSessions() };

  /** @throws ServiceError */
  return async function download(address: string): Promise<Buffer> {
    const url = URL.parse(address);
    if (checkUrl(address, allowList, isOwn) || !url || !isTrusted(url, new URL(baseUrl), hosts)) {
      throw unavailable('host-not-allowed');
    }
    const settings = { ...connecting, headers: {}, maxBytes: maxEncryptedBytes, timeoutMs };
    const { status, body, truncated } = await get(address, settings).catch((error) => {
      throw error instanceof EgressError ? unavailable(error.errorClass) : error;
    });
    if (status === 404 || status === 410) throw new MediaError('expired');
    if (status !== 200) throw unavailable('status', status);
    if (truncated) throw new MediaError('too-large', maxFileBytes);
    return body;
  };
}

/** The log does not get the address, because anyone who has it can download the encrypted file. */
function unavailable(fault: string, status?: number): ServiceError {
  log('warn', 'flow-file.unavailable', { fault, status });
  return new ServiceError('flow-file.unavailable');
}
