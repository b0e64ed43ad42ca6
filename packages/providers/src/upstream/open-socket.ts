import { WebSocket, type Dispatcher } from 'undici'
import { FAILURES, UpstreamFailure } from './failure.ts'

export interface SocketRequest {
  /** An http or https URL. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
  readonly signal?: AbortSignal
  readonly proxy?: string
}

/** A websocket connection. */
export interface UpstreamSocket {
  send(data: string | Uint8Array): void
  /** Bytes not yet sent. */
  readonly waitingBytes: number
  onMessage(listener: (data: string | Uint8Array) => void): void
  /** Called once, whichever side closed. */
  onClose(listener: (code: number, reason: string) => void): void
  close(code?: number, reason?: string): void
}

const OPEN_MS = 20_000

/**
 * Connects through the same guarded pools as HTTP requests. Throws an UpstreamFailure if the provider rejects the
 * connection.
 */
export async function openSocket(dispatcher: Dispatcher, request: SocketRequest): Promise<UpstreamSocket> {
  const { url, headers, protocols = [], signal } = request
  const socket = new WebSocket(url.replace(/^http/, 'ws'), {
    dispatcher,
    headers: { ...headers },
    protocols: [...protocols],
  })
  socket.binaryType = 'arraybuffer'
  const listeners = bufferEarlyMessages(socket)
  await waitForOpen(socket, signal)
  return {
    ...listeners,
    send: (data) => socket.send(data),
    get waitingBytes() {
      return socket.bufferedAmount
    },
    close: (code, reason) => socket.close(code, reason),
  }
}

/** Keeps messages and the close event that arrive before a listener is registered. */
function bufferEarlyMessages(socket: WebSocket): Pick<UpstreamSocket, 'onMessage' | 'onClose'> {
  const early: (string | Uint8Array)[] = []
  let deliver = (data: string | Uint8Array): void => void early.push(data)
  let closed: { code: number; reason: string } | undefined
  let notifyClose = (): void => {}
  socket.addEventListener('message', ({ data }) =>
    deliver(typeof data === 'string' ? data : new Uint8Array(data as ArrayBuffer)),
  )
  socket.addEventListener('close', ({ code, reason }) => {
    closed = { code, reason }
    notifyClose()
  })
  return {
    onMessage(listener) {
      deliver = listener
      for (const data of early.splice(0)) listener(data)
    },
    onClose(listener) {
      notifyClose = () => listener(closed!.code, closed!.reason)
      if (closed) notifyClose()
    },
  }
}

function waitForOpen(socket: WebSocket, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      act()
    }
    const fail = (failure: UpstreamFailure) =>
      settle(() => {
        reject(failure)
        if (socket.readyState === WebSocket.CONNECTING || socket.readyState === WebSocket.OPEN) socket.close()
      })
    const abort = () => fail(FAILURES.aborted())
    const timer = setTimeout(() => fail(FAILURES.firstByte()), OPEN_MS)
    signal?.addEventListener('abort', abort, { once: true })
    socket.addEventListener('open', () => settle(resolve), { once: true })
    // The websocket API does not expose the HTTP response.
    socket.addEventListener('error', () => fail(connectionError()), { once: true })
  })
}

function connectionError(): UpstreamFailure {
  return new UpstreamFailure({
    kind: 'status',
    status: 502,
    error: { message: 'The upstream rejected the connection.', type: 'upstream_error' },
  })
}
