import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { ALL_PROTOCOLS, type Protocol } from './protocols.ts'

/** What the upstream should do, encoded in the prompt. */
export interface StreamPlan {
  /** `tick` sends events at an interval, `flood` as fast as possible, `line` one line without an end. */
  kind: 'tick' | 'flood' | 'line'
  /** Default: no end. */
  events?: number
  everyMs?: number
  headersAfterMs?: number
  firstEventAfterMs?: number
}

export interface TimedUpstream {
  readonly url: string
  /** Bytes of floods that were accepted so far. */
  readonly floodedBytes: number
  /** Ends every ticking stream with its next event. */
  finishTicks(): void
  close(): Promise<void>
}

/** The text of a prompt, in any protocol, that carries a plan. */
export function promptOf({
  kind,
  events = 0,
  everyMs = 0,
  headersAfterMs = 0,
  firstEventAfterMs = 0,
}: StreamPlan): string {
  return `plan ${kind} ${events} ${everyMs} ${headersAfterMs} ${firstEventAfterMs}.`
}

/** The time an event was sent, as text inside it. Provider and clients share the clock of this process. */
export const SENT_AT = /@(\d+\.\d+);/g
const stamp = () => `@${performance.now().toFixed(3)};`

/** A provider that puts the send time into every event. Lighter than the fake upstream, for thousands of streams. */
export async function startTimedUpstream(): Promise<TimedUpstream> {
  const state: State = { floodedBytes: 0, finished: 0 }
  const server = createServer({ noDelay: true }, (request, response) => {
    respond(request, response, state).catch((error: unknown) => {
      if (!response.destroyed) response.destroy(error as Error)
    })
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 })
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get floodedBytes() {
      return state.floodedBytes
    },
    finishTicks: () => (state.finished += 1),
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

interface State {
  floodedBytes: number
  /** How often all ticking streams were ended. */
  finished: number
}

async function respond(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const plan = readPlan(Buffer.concat(parts).toString('latin1'))
  const protocol = ALL_PROTOCOLS.find(({ servesPath }) => servesPath(request.url ?? ''))
  if (!plan || !protocol) return void response.writeHead(404).end()
  const gone = new AbortController()
  response.once('close', () => gone.abort())

  await delay(plan.headersAfterMs, undefined, { signal: gone.signal })
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  await delay(plan.firstEventAfterMs, undefined, { signal: gone.signal })
  if (plan.kind === 'tick') await writeEvents(response, protocol, plan, { state, gone: gone.signal })
  else await writeFlood(response, plan.kind === 'flood' ? floodOf(protocol) : lineOf(), plan.events, state)
  response.end()
}

function readPlan(body: string): Required<StreamPlan> | undefined {
  const match = /plan (tick|flood|line) (\d+) (\d+) (\d+) (\d+)\./.exec(body)
  if (!match) return undefined
  const [, kind, events, everyMs, headersAfterMs, firstEventAfterMs] = match
  return {
    kind: kind as StreamPlan['kind'],
    events: Number(events) || Infinity,
    everyMs: Number(everyMs),
    headersAfterMs: Number(headersAfterMs),
    firstEventAfterMs: Number(firstEventAfterMs),
  }
}

/** Scheduled by the clock and not by the last event, so that a late event does not delay the next ones. */
async function writeEvents(
  response: ServerResponse,
  protocol: Protocol,
  { events, everyMs }: Required<StreamPlan>,
  { state, gone }: { state: State; gone: AbortSignal },
): Promise<void> {
  if (protocol.opening) response.write(protocol.opening)
  const startedAt = performance.now()
  const { finished } = state
  for (let event = 0; event < events && state.finished === finished; event += 1) {
    const due = startedAt + event * everyMs
    await delay(Math.max(0, due - performance.now()), undefined, { signal: gone })
    response.write(protocol.delta(stamp()))
  }
  response.write(protocol.closing)
}

const FLOOD_TEXT = 'the tide '.repeat(110)

function* floodOf(protocol: Protocol): Generator<string> {
  yield protocol.opening
  for (;;) yield protocol.delta(FLOOD_TEXT)
}

function* lineOf(): Generator<string> {
  yield 'data: {"choices":[{"index":0,"delta":{"content":"'
  for (;;) yield 'a'.repeat(16 * 1024)
}

/** As fast as the other side reads, which is what is measured. */
async function writeFlood(
  response: ServerResponse,
  pieces: Iterable<string>,
  max: number,
  state: State,
): Promise<void> {
  let sent = 0
  for (const piece of pieces) {
    if (sent++ >= max || response.destroyed) return
    state.floodedBytes += piece.length
    if (!response.write(piece)) await roomForMore(response)
  }
}

function roomForMore(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const proceed = () => {
      response.off('drain', proceed).off('close', proceed)
      resolve()
    }
    response.once('drain', proceed).once('close', proceed)
  })
}
