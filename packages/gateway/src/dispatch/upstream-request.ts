import { providerOf, type Target, type UpstreamRequest } from '@tidegate/providers'
import type { CatalogChannel, Ports } from '../ports/index.ts'
import type { Route } from '../route/route.ts'

/** The target of a request: a channel, one of its keys, and the model name at the provider. */
export function targetOf(channel: CatalogChannel, { key, model }: { key: string; model: string }): Target {
  return {
    baseUrl: channel.baseUrl,
    key,
    model,
    organization: channel.openaiOrganization,
    other: channel.other,
    setting: channel.setting,
  }
}

interface SignedRequest {
  readonly route: Pick<Route, 'channel' | 'model'>
  readonly key: string
  readonly request: UpstreamRequest
}

/** Signs the request, for providers whose keys are not sent. Undefined, without a wait, for the other providers. */
export function signedRequest(
  { signing }: Pick<Ports, 'signing'>,
  { route, key, request }: SignedRequest,
): Promise<UpstreamRequest> | undefined {
  const { sign, signUrl } = providerOf(route.channel.type)
  if (!sign && !signUrl) return undefined
  if (!signing) return Promise.reject(new Error('this process cannot sign requests'))
  const { url, method, body } = request
  const target = targetOf(route.channel, { key, model: route.model })
  const unsigned = { target, url, method, body: asText(body) }
  return signed(signing)

  async function signed(signer: NonNullable<Ports['signing']>): Promise<UpstreamRequest> {
    const headers = await sign?.(unsigned, signer)
    const signedUrl = await signUrl?.(unsigned, signer)
    return { ...request, url: signedUrl ?? url, headers: { ...request.headers, ...headers } }
  }
}

function asText(body: UpstreamRequest['body']): string {
  return typeof body === 'string' ? body : Buffer.from(body ?? '').toString('utf8')
}
