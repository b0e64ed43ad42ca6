import { Agent, request, type IncomingMessage } from 'node:http'
import type { Protocol } from './protocols.ts'
import { promptOf, SENT_AT, type Order } from './timed-upstream.ts'

/** A stream as its client hears it, while it comes. */
export interface Heard {
  status: number
  /** Of each event, from the vendor's hand to the client's ear, in milliseconds. */
  readonly delays: number[]
  /** When each of `delays` was heard. */
  readonly heardAt: number[]
  /** Of pings, since the request. */
  readonly pingsAfterMs: number[]
  bytes: number
  complete: boolean
  /** The end of what came, which holds the error if there is one. */
  tail: string
}

export interface Listening {
  readonly heard: Heard
  /** Resolves with the first event, or with the end. */
  readonly begun: Promise<void>
  /** Never rejects: a connection that breaks is an end without the end mark. */
  readonly ended: Promise<Heard>
  hangUp(): void
}

export interface Asked {
  readonly url: string
  readonly key: string
  readonly protocol: Protocol
  readonly order: Order
  /** Another channel's model has the answer converted on its way. */
  readonly model?: string
}

const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
const TAIL_LENGTH = 2000

/** Asks for a stream and notes when its events come. */
export function listen(asked: Asked): Listening {
  const heard: Heard = { status: 0, delays: [], heardAt: [], pingsAfterMs: [], bytes: 0, complete: false, tail: '' }
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const sending = send(asked)
  const askedAt = performance.now()
  const ended = new Promise<Heard>((resolve) => {
    const end = () => {
      heard.complete = heard.tail.includes(asked.protocol.endMark)
      begin()
      resolve(heard)
    }
    sending.on('error', end).once('response', (response: IncomingMessage) => {
      heard.status = response.statusCode ?? 0
      const hear = createEar(heard, asked.protocol, askedAt)
      response
        .setEncoding('latin1')
        .on('data', (text: string) => {
          hear(text)
          if (heard.delays.length > 0) begin()
        })
        .once('error', end)
        .once('end', end)
        .once('close', end)
    })
  })
  return { heard, begun, ended, hangUp: () => sending.destroy() }
}

/** Sends a request and gives it with nothing listened to yet. */
export function send({ url, key, protocol, order, model = protocol.model }: Asked) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sending = request(url + protocol.path(model), { method: 'POST', headers, agent })
  sending.end(JSON.stringify(protocol.body(model, promptOf(order))))
  return sending
}

/** Works on whole lines: a packet may end anywhere. */
function createEar(heard: Heard, { pingLine }: Protocol, askedAt: number): (text: string) => void {
  let rest = ''
  let lineBefore = ''
  return (text) => {
    const now = performance.now()
    heard.bytes += text.length
    heard.tail = (heard.tail + text).slice(-TAIL_LENGTH)
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      if (line === pingLine && (line !== '' || lineBefore === '')) heard.pingsAfterMs.push(now - askedAt)
      lineBefore = line
      for (const [, sentAt] of line.matchAll(SENT_AT)) {
        heard.delays.push(now - Number(sentAt))
        heard.heardAt.push(now)
      }
    }
  }
}
