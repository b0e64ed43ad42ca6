import { clientHeaderIn } from '@tidegate/contract'
import { providerOf } from './registry.ts'
import type { Target } from './target.ts'
import { BASE_HEADERS, overrideHeaders } from './upstream/override-headers.ts'
import type { RequestSigner } from './upstream/request-signer.ts'
import type { PreparedRequest, UpstreamRequest } from './upstream/types.ts'

/** The fields of a channel that decide how its requests are sent. */
export interface UpstreamChannel {
  readonly type: number
  readonly baseUrl: string
  readonly openaiOrganization?: string
  /** A free field; its meaning depends on the provider. */
  readonly other?: string
  readonly setting: Readonly<Record<string, unknown>>
  readonly headerOverride?: ReadonlyMap<string, string>
}

/** The target of a request: a channel, one of its keys, and the model name at the provider. */
export function targetOf(channel: UpstreamChannel, { key, model }: { key: string; model: string }): Target {
  return {
    baseUrl: channel.baseUrl,
    key,
    model,
    organization: channel.openaiOrganization,
    other: channel.other,
    setting: channel.setting,
  }
}

export interface ChannelRequest extends Pick<UpstreamRequest, 'url' | 'method' | 'body' | 'bodyStream'> {
  readonly target: Target
  /** Headers of this kind of request, in addition to the base headers and the key. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers of the client, for overrides that copy one; absent for requests without a client. */
  readonly client?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Replaces the provider's authentication headers, for endpoints that expect the key in another place. */
  readonly authorization?: Readonly<Record<string, string>>
}

/**
 * Builds every request to a channel: base headers, authentication, the channel's header override and proxy, and a
 * signature where the provider needs one.
 */
export async function upstreamRequest(
  { signing }: { readonly signing?: RequestSigner | undefined },
  channel: UpstreamChannel,
  { target, url, method, headers, body, bodyStream, client, authorization }: ChannelRequest,
): Promise<UpstreamRequest> {
  const { authorize, sign, signUrl } = providerOf(channel.type)
  const usual = { ...BASE_HEADERS, ...(authorization ?? authorize(target)), ...headers }
  const request = {
    url,
    method,
    headers: overrideHeaders(usual, channel.headerOverride, { key: target.key, client }),
    body,
    bodyStream,
    proxy: proxyOf(channel),
  }
  if (!sign && !signUrl) return request
  if (!signing) throw new Error('this process cannot sign requests')
  const unsigned = { target, url, method, body: asText(body), proxy: request.proxy }
  const signature = await sign?.(unsigned, signing)
  const signedUrl = await signUrl?.(unsigned, signing)
  return { ...request, url: signedUrl ?? url, headers: { ...request.headers, ...signature } }
}

/**
 * The URL and the headers of a channel's requests, for requests that add nothing to them. Undefined where they depend on
 * the request: the provider signs it, or an override copies a header of the client.
 */
export function prepareRequest(
  channel: UpstreamChannel,
  { target, url, headers }: Pick<ChannelRequest, 'target' | 'url' | 'headers'>,
): PreparedRequest | undefined {
  const { authorize, sign, signUrl } = providerOf(channel.type)
  const overrides = channel.headerOverride
  if (sign || signUrl || [...(overrides?.values() ?? [])].some((value) => clientHeaderIn(value) !== undefined)) {
    return undefined
  }
  const { origin, pathname, search } = new URL(url)
  const all = overrideHeaders({ ...BASE_HEADERS, ...authorize(target), ...headers }, overrides, { key: target.key })
  return { url, origin, path: pathname + search, headers: Object.entries(all).flat(), proxy: proxyOf(channel) }
}

function proxyOf({ setting: { proxy } }: UpstreamChannel): string | undefined {
  return typeof proxy === 'string' && proxy.trim() !== '' ? proxy.trim() : undefined
}

function asText(body: UpstreamRequest['body']): string {
  return typeof body === 'string' ? body : Buffer.from(body ?? '').toString('utf8')
}
