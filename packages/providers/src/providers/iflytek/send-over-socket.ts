import type { Conversation } from '../../provider.ts'
import type { UpstreamResponse } from '../../upstream/types.ts'
import { FAILURES, type UpstreamFailure } from '../../upstream/failure.ts'
import type { UpstreamSocket } from '../../upstream/open-socket.ts'

const DEFAULT_SILENCE_MS = 60_000
/** Far more than an answer has; a vendor that says more is not listened to. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024
const NORMAL = 1000

/** Sends the body as the one message of a socket; what comes back is told as the events of a stream. */
export const askOverSocket: NonNullable<Conversation['ask']> = async (upstream, request) => {
  const { url, body = '', signal, proxy, deadlines } = request
  const { 'user-agent': agent = '' } = request.headers
  const socket = await upstream.openSocket({ url, headers: { 'user-agent': agent }, signal, proxy })
  const answer = listen(socket, { silenceMs: deadlines?.idleMs ?? DEFAULT_SILENCE_MS, signal })
  socket.send(body)
  return answer
}

/** The messages of a socket as an answer over HTTP would bring them: read one by one, ended, broken or given up once. */
function listen(
  socket: UpstreamSocket,
  { silenceMs, signal }: { silenceMs: number; signal: AbortSignal | undefined },
): UpstreamResponse {
  const waiting: Buffer[] = []
  let waitingBytes = 0
  let over: { failure?: UpstreamFailure } | undefined
  let wake = (): void => {}
  let longestSilence = silenceMs
  let timer = startTimer()

  socket.onMessage((data) => {
    if (over) return
    const text = typeof data === 'string' ? data : Buffer.from(data).toString('utf8')
    // Events end with an empty line, which JSON need not do without.
    const frame = Buffer.from(`data: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`)
    waiting.push(frame)
    waitingBytes += frame.length
    if (waitingBytes > MOST_WAITING_BYTES) return end(FAILURES.tooLarge(new Error('an answer that nobody could read')))
    restart()
    wake()
  })
  socket.onClose((code) => end(code === NORMAL ? undefined : FAILURES.reset(new Error(`closed with ${code}`))))
  const hangUp = () => end(FAILURES.aborted())
  signal?.addEventListener('abort', hangUp, { once: true })
  if (signal?.aborted) hangUp()

  function end(failure?: UpstreamFailure): void {
    if (over) return
    over = failure ? { failure } : {}
    clearTimeout(timer)
    signal?.removeEventListener('abort', hangUp)
    socket.close(NORMAL)
    wake()
  }

  function startTimer(): NodeJS.Timeout {
    return setTimeout(() => end(FAILURES.idle()), longestSilence)
  }

  function restart(): void {
    clearTimeout(timer)
    timer = startTimer()
  }

  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    get bufferedBytes() {
      return waitingBytes
    },
    async read() {
      for (;;) {
        const frame = waiting.shift()
        if (frame) {
          waitingBytes -= frame.length
          return frame
        }
        if (over?.failure) throw over.failure
        if (over) return undefined
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    limitSilence(milliseconds) {
      longestSilence = milliseconds
      if (!over) restart()
    },
    finish: () => end(),
    abort: hangUp,
  }
}
