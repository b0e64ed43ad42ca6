import type { SendRequest } from '../../provider.ts'
import type { UpstreamResponse } from '../../upstream/types.ts'
import { FAILURES, type UpstreamFailure } from '../../upstream/failure.ts'
import type { UpstreamSocket } from '../../upstream/open-socket.ts'

const DEFAULT_IDLE_MS = 60_000
/** Far larger than any response. More than this aborts the request. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024
const NORMAL_CLOSURE = 1000

/** Sends the body as the only message of a websocket and returns the messages as server-sent events. */
export const sendOverSocket: SendRequest = async (upstream, request) => {
  const { url, body = '', signal, proxy, deadlines } = request
  // A handshake has no body, so the headers that describe one are left out. The URL carries the signature.
  const { 'content-type': _type, accept: _accept, ...headers } = request.headers
  const socket = await upstream.openSocket({ url, headers, signal, proxy })
  const response = socketResponse(socket, { silenceMs: deadlines?.idleMs ?? DEFAULT_IDLE_MS, signal })
  socket.send(body)
  return response
}

/** Presents websocket messages as an HTTP response. It ends, fails or is aborted at most once. */
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
    // SSE frames end with an empty line, so line breaks in the JSON are replaced.
    const frame = Buffer.from(`data: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`)
    queue.push(frame)
    queuedBytes += frame.length
    if (queuedBytes > MAX_BUFFERED_BYTES) return end(FAILURES.tooLarge(new Error('the response is too large')))
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
