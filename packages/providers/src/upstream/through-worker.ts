import { ApiError } from '@tidegate/contract'
import type { UpstreamClient, UpstreamRequest } from './types.ts'
import { isEgressAllowedUnresolved } from './egress.ts'
import { leadsInside } from './guard-address.ts'
import { FAILURES } from './failure.ts'

/** A helper of the operator's that makes calls in this server's place. */
export interface OutboundWorker {
  readonly url: string
  readonly key: string
}

/**
 * The same call as an order to the worker. It writes the body anew, and the same way, since it is JSON. The worker looks
 * the host up, so the egress allow list must name it.
 */
export function throughWorker(
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
  /** Calls what users point to. */
  readonly direct: Pick<UpstreamClient, 'open' | 'allowsPrivateAddresses'>
  /** Calls what the operator points to. */
  readonly toWorker: Pick<UpstreamClient, 'open'>
}

/**
 * Fetches files by way of the worker while there is one, so that whoever keeps them does not learn where this server is.
 * The worker takes https addresses only; others are refused then, for fetched directly they would tell just that.
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
      // The worker looks names up itself, perhaps within the operator's network: it gets none that can only lead inside.
      if (!direct.allowsPrivateAddresses && leadsInside(URL.parse(request.url)?.hostname ?? '')) {
        throw new ApiError('media_unavailable', { reason: 'its server cannot be reached' })
      }
      return await toWorker.open(throughWorker(request, target))
    },
  }
}

function parse(body: Uint8Array | string): unknown {
  return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'))
}
