import type { ReceivedRequest, Script } from '@tidegate/testing'
import { expect } from 'vitest'
import type { Client, Heard, HeardError, Said, ToolResult, Wishes } from './conversation.ts'
import type { Seen, Upstream } from './received-request.ts'
import type { Site } from './fake-providers.ts'

/** Where a case is played: one client, one vendor, streamed or whole. */
export interface Stage {
  readonly client: Client
  readonly upstream: Upstream
  readonly stream: boolean
  readonly pictureUrl: string
  /** Begins a conversation, in which the vendor answers by these scripts in turn. */
  open(wishes: Wishes, ...scripts: Script[]): Scene
  /** Begins one at another vendor, for `turnHere` to bring it to this one. */
  openAt(upstream: Upstream, wishes: Wishes, ...scripts: Script[]): Scene
}

export interface Scene {
  /** Says it and judges what every answer must have: no error, an end, and the vendor's own counts. */
  say(...parts: Said[]): Promise<Heard>
  giveResults(...results: ToolResult[]): Promise<Heard>
  /** Says it and takes what comes. */
  trySaying(...parts: Said[]): Promise<Heard>
  /** Goes on with this stage's vendor, which answers by these scripts. */
  turnHere(...scripts: Script[]): void
  /** What the vendor was last asked. */
  seen(): Seen
  lastRequest(): ReceivedRequest
  /** The first words of the user, as they were sent. */
  readonly firstWords: string
}

/** A call was refused as a client can understand: with a status of its own fault, in its own protocol. */
export class RefusedClearly extends Error {
  override readonly name = 'RefusedClearly'
}

let scenes = 0

export function setStage(site: Site, ends: Pick<Stage, 'client' | 'upstream' | 'stream'>): Stage {
  return {
    ...ends,
    pictureUrl: site.pictureUrl,
    open: (wishes, ...scripts) => openScene(site, ends, ends.upstream, wishes, scripts),
    openAt: (upstream, wishes, ...scripts) => openScene(site, ends, upstream, wishes, scripts),
  }
}

function openScene(
  site: Site,
  { client, upstream: here, stream }: Pick<Stage, 'client' | 'upstream' | 'stream'>,
  start: Upstream,
  wishes: Wishes,
  scripts: readonly Script[],
): Scene {
  // Scenes are played side by side at the same vendors: each is told by a word nobody else says.
  const marker = `scene-${client.protocol}-${here.protocol}-${(scenes += 1)}-end`
  const isOurs = ({ rawBody }: ReceivedRequest) => rawBody.includes(marker)
  const modelOf = (upstream: Upstream) => (wishes.thinking && upstream.thinkingModel) || upstream.model
  const vendorOf = (upstream: Upstream) => site.vendorOf(modelOf(upstream))
  let at = start
  let firstWords = ''
  vendorOf(at).when(isOurs, ...scripts)
  const conversation = client.open({ url: site.url, key: site.key, model: modelOf(at), stream, wishes })

  function marked(parts: readonly Said[]): Said[] {
    return parts.map((part) => {
      if (!('text' in part) || firstWords !== '') return part
      firstWords = `${part.text} (${marker})`
      return { ...part, text: firstWords }
    })
  }

  function lastRequest(): ReceivedRequest {
    const request = vendorOf(at).requests.findLast(isOurs)
    if (request === undefined) throw new Error('the vendor was not asked')
    return request
  }

  function judge(heard: Heard): Heard {
    if (isClear(client, heard.error)) throw new RefusedClearly(heard.error.message)
    expect(heard.error, 'the SDK reports no error').toBeUndefined()
    const request = lastRequest()
    expect(at.inspect(request).streams).toBe(stream)
    if (stream) expect(client.endsWell(heard.raw), `the stream says that it is over: ${tail(heard.raw)}`).toBe(true)
    expect(heard.usage, "the vendor's counts").toEqual(expectedUsage(at, heard, request))
    return heard
  }

  return {
    say: async (...parts) => judge(await conversation.say(...marked(parts))),
    giveResults: async (...results) => judge(await conversation.giveResults(results)),
    trySaying: (...parts) => conversation.say(...marked(parts)),
    turnHere(...later) {
      at = here
      vendorOf(at).when(isOurs, ...later)
      conversation.turnTo(modelOf(at))
    },
    seen: () => at.inspect(lastRequest()),
    lastRequest,
    get firstWords() {
      return firstWords
    },
  }
}

function isClear(client: Client, error: HeardError | undefined): error is HeardError {
  const isOwnFault = error?.status !== undefined && error.status >= 400 && error.status < 500
  return isOwnFault && client.isOwnError(error)
}

/** Wholes always agree; parts where the vendor tells them and the client has a word for them. */
function expectedUsage({ tells }: Upstream, { usage = {} }: Heard, { sent }: ReceivedRequest) {
  const told = ['input', 'output', ...tells] as const
  const expected = told.filter((part) => part in usage).map((part) => [part, sent.counts?.[part]])
  return { ...usage, input: undefined, output: undefined, ...Object.fromEntries(expected) }
}

function tail(raw: string): string {
  return JSON.stringify(raw.slice(-300))
}
