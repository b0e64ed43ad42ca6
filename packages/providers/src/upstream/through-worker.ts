import { ApiError } from '@tidegate/contract'
import type { UpstreamClient, UpstreamRequest } from './types.ts'
import { isEgressAllowedUnresolved } from './egress.ts'
import { isInternalHost } from './guard-address.ts'
import { FAILURES } from './failure.ts'

/** A worker of the operator that sends requests on behalf of this server. */
export interface OutboundWorker {
  readonly url: string
  readonly key: string
}

/**
 * Wraps a request for the worker, which serializes the JSON body again. The worker resolves the host, so the egress
 * allow list must name it.
 */
export function workerRequest(
  { url, method, headers, body, signal }: UpstreamRequest,
  worker: OutboundWorker,
): UpstreamRequest {
  if (!isEgressAllowedUnresolved(URL.parse(url)?.hostname ?? '')) throw FAILURES.egress(undefined)
  const payload = { url, key: worker.key, method, headers, ...(body !== undefined && { body: parse(body) }) }
  return {
    url: worker.url,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'tidegate' },
    body: JSON.stringify(payload),
    single: true,
    ...(signal && { signal }),
  }
}

interface FileClients {
  /** For URLs of users. */
  readonly direct: Pick<UpstreamClient, 'open' | 'allowsPrivateAddresses'>
  /** For URLs of the operator. */
  readonly toWorker: Pick<UpstreamClient, 'open'>
}

/**
 * Fetches files through the worker if there is one, to hide this server's address. The worker accepts only https; other
 * URLs are rejected, because a direct request would reveal the address.
 */
export function createFileClient(
  { direct, toWorker }: FileClients,
  worker: () => OutboundWorker | undefined,
): Pick<UpstreamClient, 'open'> {
  return {
    async open(request) {
      const target = worker()
      if (!target) return await direct.open(request)
      if (!/^https:/i.test(request.url)) {
        throw new ApiError('media_unavailable', { reason: 'its address is not an https address' })
      }
      // The worker resolves names itself, perhaps in the operator's network, so it gets no internal hosts.
      if (!direct.allowsPrivateAddresses && isInternalHost(URL.parse(request.url)?.hostname ?? '')) {
        throw new ApiError('media_unavailable', { reason: 'its server cannot be reached' })
      }
      return await toWorker.open(workerRequest(request, target))
    },
  }
}

function parse(body: Uint8Array | string): unknown {
  return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'))
}
