import { providerOf, type UpstreamRequest } from '@tidegate/providers'
import type { Ports } from '../ports.ts'
import type { Route } from '../route/route-call.ts'
import { targetOf } from './target-of.ts'

interface Unsigned {
  readonly route: Pick<Route, 'channel' | 'model'>
  readonly key: string
  readonly request: UpstreamRequest
}

/** What proves whose a request is, where a key is not simply sent along. Nothing for most vendors, without a wait. */
export function signedHeaders(
  { signing }: Pick<Ports, 'signing'>,
  { route, key, request }: Unsigned,
): Promise<Record<string, string>> | undefined {
  const sign = providerOf(route.channel.type).sign
  if (!sign) return undefined
  if (!signing) return Promise.reject(new Error('this process cannot sign requests'))
  const { url, method, body } = request
  return sign(
    { target: targetOf(route.channel, { key, model: route.model }), url, method, body: asText(body) },
    signing,
  )
}

function asText(body: UpstreamRequest['body']): string {
  return typeof body === 'string' ? body : Buffer.from(body ?? '').toString('utf8')
}
