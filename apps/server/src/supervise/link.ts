/** One end of an IPC channel between the supervisor and a process of its family. */
export interface MessagePort {
  send(message: object): void
  onMessage(handle: (message: unknown) => void): void
}

/** Handles messages by topic. The result is the reply to a question. */
export type TopicHandlers = Readonly<Record<string, (payload: never) => unknown>>

export interface Link {
  send(topic: string, payload?: unknown): void
  /** Rejects when there is no reply in time, when the other end failed or when it is gone. */
  request<Reply>(topic: string, payload?: unknown, limitMs?: number): Promise<Reply>
  /** Rejects open questions. */
  close(): void
}

interface Envelope {
  readonly tidegate: 'send' | 'request' | 'reply' | 'failed'
  readonly topic: string
  readonly id?: number
  readonly payload?: unknown
}

interface OpenQuestion {
  resolve(reply: unknown): void
  reject(error: Error): void
}

const REPLY_LIMIT_MS = 5_000

/** Messages and questions in both directions. Other messages on the channel are ignored. */
export function createLink(port: MessagePort, handlers: TopicHandlers): Link {
  const open = new Map<number, OpenQuestion>()
  let lastId = 0
  let isClosed = false
  const post = (envelope: Envelope) => {
    if (!isClosed) port.send(envelope)
  }

  async function handle({ topic, id, payload }: Envelope): Promise<unknown> {
    const handler = handlers[topic]
    if (!handler) throw new Error(`unknown topic ${topic} in message ${id}`)
    return await handler(payload as never)
  }

  port.onMessage((message) => {
    if (!isEnvelope(message)) return
    const { tidegate: kind, topic, id = 0, payload } = message
    if (kind === 'reply') open.get(id)?.resolve(payload)
    else if (kind === 'failed') open.get(id)?.reject(new Error(String(payload)))
    else if (kind === 'send') void handle(message)
    else {
      handle(message).then(
        (reply) => post({ tidegate: 'reply', topic, id, payload: reply }),
        (error: Error) => post({ tidegate: 'failed', topic, id, payload: error.message }),
      )
    }
  })

  return {
    send: (topic, payload) => post({ tidegate: 'send', topic, payload }),
    async request<Reply>(topic: string, payload?: unknown, limitMs = REPLY_LIMIT_MS) {
      if (isClosed) throw new Error(`no process replies to ${topic}`)
      const id = (lastId += 1)
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const timer = setTimeout(() => reject(new Error(`no reply to ${topic} in time`)), limitMs)
      open.set(id, { resolve, reject })
      post({ tidegate: 'request', topic, id, payload })
      try {
        return (await promise) as Reply
      } finally {
        clearTimeout(timer)
        open.delete(id)
      }
    },
    close() {
      isClosed = true
      for (const { reject } of open.values()) reject(new Error('the other process is gone'))
    },
  }
}

function isEnvelope(message: unknown): message is Envelope {
  return typeof message === 'object' && message !== null && 'tidegate' in message
}
