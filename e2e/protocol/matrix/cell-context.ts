import type { ReceivedRequest, Script } from '@tidegate/testing'
import { expect } from 'vitest'
import type { Client, ClientResponse, ReceivedError, MessagePart, ToolResult, ChatSettings } from './conversation.ts'
import type { DecodedRequest, Upstream } from './received-request.ts'
import type { Site } from './fake-providers.ts'

/** Where a case is played: one client, one vendor, streamed or whole. */
export interface CellContext {
  readonly client: Client
  readonly upstream: Upstream
  readonly stream: boolean
  readonly imageUrl: string
  /** Begins a conversation, in which the vendor answers by these scripts in turn. */
  open(settings: ChatSettings, ...scripts: Script[]): Exchange
  /** Begins one at another vendor, for `turnHere` to bring it to this one. */
  openAt(upstream: Upstream, settings: ChatSettings, ...scripts: Script[]): Exchange
}

export interface Exchange {
  /** Says it and judges what every answer must have: no error, an end, and the vendor's own counts. */
  send(...parts: MessagePart[]): Promise<ClientResponse>
  sendToolResults(...results: ToolResult[]): Promise<ClientResponse>
  /** Says it and takes what comes. */
  trySend(...parts: MessagePart[]): Promise<ClientResponse>
  /** Goes on with this stage's vendor, which answers by these scripts. */
  turnHere(...scripts: Script[]): void
  /** What the vendor was last asked. */
  seen(): DecodedRequest
  lastRequest(): ReceivedRequest
  /** The first words of the user, as they were sent. */
  readonly firstWords: string
}

/** A call was refused as a client can understand: with a status of its own fault, in its own protocol. */
export class ClearRejection extends Error {
  override readonly name = 'RefusedClearly'
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
  // Scenes are played side by side at the same vendors: each is told by a word nobody else says.
  const marker = `scene-${client.protocol}-${here.protocol}-${(exchanges += 1)}-end`
  const isOurs = ({ rawBody }: ReceivedRequest) => rawBody.includes(marker)
  const modelOf = (upstream: Upstream) => (settings.thinking && upstream.thinkingModel) || upstream.model
  const providerOf = (upstream: Upstream) => site.providerOf(modelOf(upstream))
  let at = start
  let firstWords = ''
  providerOf(at).when(isOurs, ...scripts)
  const conversation = client.open({ url: site.url, key: site.key, model: modelOf(at), stream, settings })

  function marked(parts: readonly MessagePart[]): MessagePart[] {
    return parts.map((part) => {
      if (!('text' in part) || firstWords !== '') return part
      firstWords = `${part.text} (${marker})`
      return { ...part, text: firstWords }
    })
  }

  function lastRequest(): ReceivedRequest {
    const request = providerOf(at).requests.findLast(isOurs)
    if (request === undefined) throw new Error('the vendor was not asked')
    return request
  }

  function judge(received: ClientResponse): ClientResponse {
    if (isClear(client, received.error)) throw new ClearRejection(received.error.message)
    expect(received.error, 'the SDK reports no error').toBeUndefined()
    const request = lastRequest()
    expect(at.inspect(request).streams).toBe(stream)
    if (stream)
      expect(client.endsWell(received.raw), `the stream says that it is over: ${tail(received.raw)}`).toBe(true)
    expect(received.usage, "the vendor's counts").toEqual(expectedUsage(at, received, request))
    return received
  }

  return {
    send: async (...parts) => judge(await conversation.send(...marked(parts))),
    sendToolResults: async (...results) => judge(await conversation.sendToolResults(results)),
    trySend: (...parts) => conversation.send(...marked(parts)),
    turnHere(...later) {
      at = here
      providerOf(at).when(isOurs, ...later)
      conversation.turnTo(modelOf(at))
    },
    seen: () => at.inspect(lastRequest()),
    lastRequest,
    get firstWords() {
      return firstWords
    },
  }
}

function isClear(client: Client, error: ReceivedError | undefined): error is ReceivedError {
  const isOwnFault = error?.status !== undefined && error.status >= 400 && error.status < 500
  return isOwnFault && client.isOwnError(error)
}

/** Wholes always agree; parts where the vendor tells them and the client has a word for them. */
function expectedUsage({ tells }: Upstream, { usage = {} }: ClientResponse, { sent }: ReceivedRequest) {
  const fields = ['input', 'output', ...tells] as const
  const expected = fields.filter((part) => part in usage).map((part) => [part, sent.counts?.[part]])
  return { ...usage, input: undefined, output: undefined, ...Object.fromEntries(expected) }
}

function tail(raw: string): string {
  return JSON.stringify(raw.slice(-300))
}
