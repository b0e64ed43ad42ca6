import type { Settings } from '@tidegate/contract'
import type { CanonicalRequest, RequestHead } from '@tidegate/dialects'
import { overrideHeaders, providerOf, type Conversation, type UpstreamRequest } from '@tidegate/providers'
import type { Call } from '../http/api-request.ts'
import type { Route } from '../route/route-plan.ts'
import { targetOf } from '../dispatch/upstream-request.ts'
import { isPassedOn, writeBody, type UpstreamBody } from './chat-body.ts'

/** The channel or its vendor cannot stream: the whole answer is sent as a stream of one chunk. */
export function neverStreams({ channel }: Pick<Route, 'channel'>, { streams }: Conversation): boolean {
  return channel.setting.stream_support === 'NON_STREAM_ONLY' || streams === false
}

interface Asked {
  readonly call: Pick<Call, 'request' | 'startedAt'>
  readonly request: RequestHead
  readonly route: Route
  readonly conversation: Conversation
  readonly stream: boolean
  readonly key: string
  readonly settings: Settings
  /** Output tokens that the provider must not exceed. */
  readonly outputLimit?: number | undefined
  readonly canonical: () => CanonicalRequest
}

/** The request one channel's vendor gets for a call. */
export function shapeRequest(asked: Asked): UpstreamRequest & Omit<UpstreamBody, 'text'> {
  const { call, route, conversation, stream, key, settings } = asked
  const { channel } = route
  const { text, adapted, model, stripped } = writeBody(asked)
  const target = targetOf(channel, { key, model })
  const headers = {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'tidegate',
    ...conversation.headers?.(settings),
    ...providerOf(channel.type).authorize(target),
    ...passedHeaders(call, asked),
    ...adapted.headers,
  }
  return {
    url: conversation.url(target, { stream, settings }),
    method: 'POST',
    headers: overrideHeaders(headers, channel.headerOverride, { key, client: call.request.headers }),
    body: text,
    proxy: typeof channel.setting.proxy === 'string' ? channel.setting.proxy.trim() : undefined,
    adapted,
    model,
    stripped,
  }
}

/** Headers that belong to the body the client wrote; another dialect's would mean nothing to the vendor. */
function passedHeaders(
  { request: { headers } }: Pick<Call, 'request'>,
  { request, conversation }: Asked,
): Record<string, string> {
  if (!isPassedOn(request, conversation)) return {}
  return Object.fromEntries(
    (conversation.passesHeaders ?? []).flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}
