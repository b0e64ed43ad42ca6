import type { Conversation } from '../../provider.ts'
import type { UpstreamResponse } from '../../upstream/types.ts'
import { FAILURES, type UpstreamFailure } from '../../upstream/failure.ts'
import type { UpstreamSocket } from '../../upstream/open-socket.ts'

const DEFAULT_IDLE_MS = 60_000
/** Far more than an answer has; a vendor that says more is not listened to. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024
const NORMAL_CLOSURE = 1000

/** Sends the body as the one message of a socket; what comes back is told as the events of a stream. */
export const sendOverSocket: NonNullable<Conversation['ask']> = async (upstream, request) => {
  const { url, body = '', signal, proxy, deadlines } = request
  const { 'user-agent': agent = '' } = request.headers
  const socket = await upstream.openSocket({ url, headers: { 'user-agent': agent }, signal, proxy })
  const response = socketResponse(socket, { silenceMs: deadlines?.idleMs ?? DEFAULT_IDLE_MS, signal })
  socket.send(body)
  return response
}

/** The messages of a socket as an answer over HTTP would bring them: read one by one, ended, broken or given up once. */
function socketResponse(
  socket: UpstreamSocket,
  { silenceMs, signal }: { silenceMs: number; signal: AbortSignal | undefined },
): UpstreamResponse {
  const queue: Buffer[] = []
  let queuedBytes = 0
  let ended: { failure?: UpstreamFailure } | undefined
  let wake = (): void => {}
  let idleMs = silenceMs
  let timer = startTimer()

  socket.onMessage((data) => {
    if (ended) return
    const text = typeof data === 'string' ? data : Buffer.from(data).toString('utf8')
    // Events end with an empty line, which JSON need not do without.
    const frame = Buffer.from(`data: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`)
    queue.push(frame)
    queuedBytes += frame.length
    if (queuedBytes > MAX_BUFFERED_BYTES) return end(FAILURES.tooLarge(new Error('an answer that nobody could read')))
    restart()
    wake()
  })
  socket.onClose((code) => end(code === NORMAL_CLOSURE ? undefined : FAILURES.reset(new Error(`closed with ${code}`))))
  const abort = () => end(FAILURES.aborted())
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()

  function end(failure?: UpstreamFailure): void {
    if (ended) return
    ended = failure ? { failure } : {}
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    socket.close(NORMAL_CLOSURE)
    wake()
  }

  function startTimer(): NodeJS.Timeout {
    return setTimeout(() => end(FAILURES.idle()), idleMs)
  }

  function restart(): void {
    clearTimeout(timer)
    timer = startTimer()
  }

  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    get bufferedBytes() {
      return queuedBytes
    },
    async read() {
      for (;;) {
        const frame = queue.shift()
        if (frame) {
          queuedBytes -= frame.length
          return frame
        }
        if (ended?.failure) throw ended.failure
        if (ended) return undefined
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    limitSilence(milliseconds) {
      idleMs = milliseconds
      if (!ended) restart()
    },
    finish: () => end(),
    abort: abort,
  }
}
