import { Agent, request, type IncomingMessage } from 'node:http'
import type { Protocol } from './protocols.ts'
import { promptOf, SENT_AT, type StreamPlan } from './timed-upstream.ts'

/** A stream as its client receives it. */
export interface ReceivedStream {
  status: number
  /** The delay of each event, from the provider to the client, in milliseconds. */
  readonly delays: number[]
  /** When each event of `delays` arrived. */
  readonly receivedAt: number[]
  /** When pings arrived, since the request. */
  readonly pingsAfterMs: number[]
  bytes: number
  complete: boolean
  /** The end of the received text, which contains the error if there is one. */
  tail: string
}

export interface OpenStream {
  readonly received: ReceivedStream
  /** Resolves with the first event or the end. */
  readonly begun: Promise<void>
  /** Never rejects: a broken connection is an end without the end mark. */
  readonly ended: Promise<ReceivedStream>
  abort(): void
}

export interface StreamRequest {
  readonly url: string
  readonly key: string
  readonly protocol: Protocol
  readonly plan: StreamPlan
  /** The model of another channel makes the gateway convert the response. */
  readonly model?: string
}

const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
const TAIL_LENGTH = 2000

/** Opens a stream and records when its events arrive. */
export function openStream(request: StreamRequest): OpenStream {
  const received: ReceivedStream = {
    status: 0,
    delays: [],
    receivedAt: [],
    pingsAfterMs: [],
    bytes: 0,
    complete: false,
    tail: '',
  }
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const sending = send(request)
  const requestedAt = performance.now()
  const ended = new Promise<ReceivedStream>((resolve) => {
    const end = () => {
      received.complete = received.tail.includes(request.protocol.endMark)
      begin()
      resolve(received)
    }
    sending.on('error', end).once('response', (response: IncomingMessage) => {
      received.status = response.statusCode ?? 0
      const hear = createStreamReader(received, request.protocol, requestedAt)
      response
        .setEncoding('latin1')
        .on('data', (text: string) => {
          hear(text)
          if (received.delays.length > 0) begin()
        })
        .once('error', end)
        .once('end', end)
        .once('close', end)
    })
  })
  return { received, begun, ended, abort: () => sending.destroy() }
}

/** Sends a request and returns it without a listener. */
export function send({ url, key, protocol, plan, model = protocol.model }: StreamRequest) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sending = request(url + protocol.path(model), { method: 'POST', headers, agent })
  sending.end(JSON.stringify(protocol.body(model, promptOf(plan))))
  return sending
}

/** Works on whole lines: a packet may end anywhere. */
function createStreamReader(
  received: ReceivedStream,
  { pingLine }: Protocol,
  requestedAt: number,
): (text: string) => void {
  let rest = ''
  let lineBefore = ''
  return (text) => {
    const now = performance.now()
    received.bytes += text.length
    received.tail = (received.tail + text).slice(-TAIL_LENGTH)
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      if (line === pingLine && (line !== '' || lineBefore === '')) received.pingsAfterMs.push(now - requestedAt)
      lineBefore = line
      for (const [, sentAt] of line.matchAll(SENT_AT)) {
        received.delays.push(now - Number(sentAt))
        received.receivedAt.push(now)
      }
    }
  }
}
