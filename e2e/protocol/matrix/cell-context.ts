import type { ReceivedRequest, Script } from '@tidegate/testing'
import { expect } from 'vitest'
import type { Client, ClientResponse, ReceivedError, MessagePart, ToolResult, ChatSettings } from './conversation.ts'
import type { DecodedRequest, Upstream } from './received-request.ts'
import type { Site } from './fake-providers.ts'

/** One cell of the matrix: one client, one provider, streamed or whole. */
export interface CellContext {
  readonly client: Client
  readonly upstream: Upstream
  readonly stream: boolean
  readonly imageUrl: string
  /** Starts a conversation in which the provider responds by these scripts in turn. */
  open(settings: ChatSettings, ...scripts: Script[]): Exchange
  /** Starts a conversation with another provider; `turnHere` continues it with this one. */
  openAt(upstream: Upstream, settings: ChatSettings, ...scripts: Script[]): Exchange
}

export interface Exchange {
  /** Sends the parts and checks every response: no error, a proper end, and the usage of the provider. */
  send(...parts: MessagePart[]): Promise<ClientResponse>
  sendToolResults(...results: ToolResult[]): Promise<ClientResponse>
  /** Sends the parts without checks. */
  trySend(...parts: MessagePart[]): Promise<ClientResponse>
  /** Continues with the provider of this cell, which responds by these scripts. */
  turnHere(...scripts: Script[]): void
  /** The last request at the provider. */
  received(): DecodedRequest
  lastRequest(): ReceivedRequest
  /** The first text of the user, as it was sent. */
  readonly firstText: string
}

/** A request was rejected clearly: with a client error status, in the protocol of the client. */
export class ClearRejection extends Error {
  override readonly name = 'ClearRejection'
}

let exchanges = 0

export function createCellContext(site: Site, ends: Pick<CellContext, 'client' | 'upstream' | 'stream'>): CellContext {
  return {
    ...ends,
    imageUrl: site.imageUrl,
    open: (settings, ...scripts) => openExchange(site, ends, ends.upstream, settings, scripts),
    openAt: (upstream, settings, ...scripts) => openExchange(site, ends, upstream, settings, scripts),
  }
}

function openExchange(
  site: Site,
  { client, upstream: here, stream }: Pick<CellContext, 'client' | 'upstream' | 'stream'>,
  start: Upstream,
  settings: ChatSettings,
  scripts: readonly Script[],
): Exchange {
  // Exchanges run concurrently at the same providers. A unique word identifies each.
  const marker = `scene-${client.protocol}-${here.protocol}-${(exchanges += 1)}-end`
  const isOurs = ({ rawBody }: ReceivedRequest) => rawBody.includes(marker)
  const modelOf = (upstream: Upstream) => (settings.thinking && upstream.thinkingModel) || upstream.model
  const providerOf = (upstream: Upstream) => site.providerOf(modelOf(upstream))
  let at = start
  let firstText = ''
  providerOf(at).when(isOurs, ...scripts)
  const conversation = client.open({ url: site.url, key: site.key, model: modelOf(at), stream, settings })

  function markFirst(parts: readonly MessagePart[]): MessagePart[] {
    return parts.map((part) => {
      if (!('text' in part) || firstText !== '') return part
      firstText = `${part.text} (${marker})`
      return { ...part, text: firstText }
    })
  }

  function lastRequest(): ReceivedRequest {
    const request = providerOf(at).requests.findLast(isOurs)
    if (request === undefined) throw new Error('the provider received no request')
    return request
  }

  function checkResponse(received: ClientResponse): ClientResponse {
    if (isClear(client, received.error)) throw new ClearRejection(received.error.message)
    expect(received.error, 'the SDK reports no error').toBeUndefined()
    const request = lastRequest()
    expect(at.inspect(request).streams).toBe(stream)
    if (stream) expect(client.endsWell(received.raw), `the stream ends properly: ${tail(received.raw)}`).toBe(true)
    expect(received.usage, 'the usage of the provider').toEqual(expectedUsage(at, received, request))
    return received
  }

  return {
    send: async (...parts) => checkResponse(await conversation.send(...markFirst(parts))),
    sendToolResults: async (...results) => checkResponse(await conversation.sendToolResults(results)),
    trySend: (...parts) => conversation.send(...markFirst(parts)),
    turnHere(...later) {
      at = here
      providerOf(at).when(isOurs, ...later)
      conversation.turnTo(modelOf(at))
    },
    received: () => at.inspect(lastRequest()),
    lastRequest,
    get firstText() {
      return firstText
    },
  }
}

function isClear(client: Client, error: ReceivedError | undefined): error is ReceivedError {
  const isOwnFault = error?.status !== undefined && error.status >= 400 && error.status < 500
  return isOwnFault && client.isOwnError(error)
}

/** Totals always agree; details if the provider reports them and the protocol of the client has a field. */
function expectedUsage({ reportedCounts }: Upstream, { usage = {} }: ClientResponse, { sent }: ReceivedRequest) {
  const fields = ['input', 'output', ...reportedCounts] as const
  const expected = fields.filter((part) => part in usage).map((part) => [part, sent.counts?.[part]])
  return { ...usage, input: undefined, output: undefined, ...Object.fromEntries(expected) }
}

function tail(raw: string): string {
  return JSON.stringify(raw.slice(-300))
}
