import { openaiChat, type ChatRequest } from '@tidegate/dialects'
import { providerOf, type UpstreamRequest } from '@tidegate/providers'
import type { Settings } from '@tidegate/contract'
import type { Call } from '../ingress/call.ts'
import type { Route } from '../route/route-call.ts'

/** The channel cannot stream: its whole answer is sent as a stream of one chunk. */
export function neverStreams({ channel }: Route): boolean {
  return channel.setting.stream_support === 'NON_STREAM_ONLY'
}

/** The request one channel's vendor gets for a call. */
export function shapeRequest(
  call: Pick<Call, 'request'>,
  request: ChatRequest,
  route: Route,
  { key, settings }: { key: string; settings: Pick<Settings, 'global.pass_through_request_enabled'> },
): UpstreamRequest {
  const { channel, model } = route
  const provider = providerOf(channel.type)
  const target = { baseUrl: channel.baseUrl, key, model, organization: channel.openaiOrganization }
  const stream = request.stream && !neverStreams(route)
  const body = settings['global.pass_through_request_enabled']
    ? request.text
    : openaiChat.patchRequest(request, {
        model,
        stream,
        usage: provider.chat!.streamUsage,
        systemPrompt: channel.systemPrompt,
        override: channel.paramOverride,
      })
  const { 'content-type': contentType, accept } = call.request.headers
  return {
    url: provider.chat!.url(target),
    method: 'POST',
    headers: {
      'content-type': contentType ?? 'application/json',
      accept: stream ? 'text/event-stream' : (accept ?? 'application/json'),
      'accept-encoding': 'identity',
      'user-agent': 'tidegate',
      ...provider.authorize(target),
    },
    body,
    proxy: typeof channel.setting.proxy === 'string' ? channel.setting.proxy.trim() : undefined,
  }
}
