import type { Endpoint } from '@tidegate/contract/api'
import { serverLanguage } from '../lib/i18n.ts'
import { checkConnection } from './connection.ts'
import { expireSession } from './session.ts'
import { stored } from '../lib/stored.ts'

export type FeedState = 'connecting' | 'open' | 'waiting'

interface Listener {
  /** The `data` of one event. */
  onData(data: string): void
  onState(state: FeedState): void
}

/** A connection that receives no data for this long is considered dead. */
const IDLE_TIMEOUT_MS = 15_000
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000
/** A connection that breaks earlier counts as a failure, even if it delivered events. */
const STABLE_MS = 10_000

/**
 * Receives server-sent events until the returned function is called. Disconnects while the page is hidden.
 * Reconnects with exponential backoff. `EventSource` cannot send the `Tidegate-User` header.
 */
export function followEvents({ path }: Pick<Endpoint, 'path'>, listener: Listener): () => void {
  const stopped = new AbortController()
  let current: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  const start = () => {
    clearTimeout(timer)
    if (stopped.signal.aborted || document.hidden || current) return
    const connection = new AbortController()
    current = connection
    const startedAt = Date.now()
    listener.onState('connecting')
    void readFeed(path, connection, {
      onOpen: () => listener.onState('open'),
      onData: (data) => listener.onData(data),
    }).then((isFinal) => {
      if (current !== connection) return
      current = undefined
      if (isFinal || stopped.signal.aborted) return
      listener.onState('waiting')
      if (failures === 0) checkConnection()
      if (Date.now() - startedAt >= STABLE_MS) failures = 0
      timer = setTimeout(start, retryDelay(failures))
      failures += 1
    })
  }
  const disconnect = () => {
    clearTimeout(timer)
    current?.abort()
    current = undefined
  }
  const onVisibilityChange = () => (document.hidden ? disconnect() : start())
  document.addEventListener('visibilitychange', onVisibilityChange)
  start()
  return () => {
    stopped.abort()
    document.removeEventListener('visibilitychange', onVisibilityChange)
    disconnect()
  }
}

/** Exponential backoff with jitter, so that browsers do not reconnect at the same time. */
const retryDelay = (failures: number) =>
  Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS) * (0.75 + Math.random() / 2)

/** Reads one connection to its end. Returns true if reconnecting is useless, such as without a session. */
async function readFeed(
  path: string,
  connection: AbortController,
  { onOpen, onData }: { onOpen(): void; onData(data: string): void },
): Promise<boolean> {
  let idleTimer = setTimeout(() => connection.abort(), IDLE_TIMEOUT_MS)
  try {
    const response = await fetch(path, {
      headers: {
        Accept: 'text/event-stream',
        'Accept-Language': serverLanguage(),
        'Tidegate-User': String(stored.user.get()?.id ?? -1),
      },
      credentials: 'same-origin',
      signal: connection.signal,
    })
    if (response.status === 401) expireSession()
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!response.ok || !isStream || !response.body) return response.status < 500 && response.status !== 429
    onOpen()
    const events = newEventReader(onData)
    for (const reader = response.body.pipeThrough(new TextDecoderStream()).getReader(); ;) {
      const { done, value } = await reader.read()
      if (done || connection.signal.aborted) return false
      clearTimeout(idleTimer)
      idleTimer = setTimeout(() => connection.abort(), IDLE_TIMEOUT_MS)
      events(value)
    }
  } catch {
    return false // connection lost or aborted
  } finally {
    clearTimeout(idleTimer)
  }
}

/** Parses chunks of an event stream and passes the data of each event on. Ignores comments and other fields. */
export function newEventReader(onData: (data: string) => void): (text: string) => void {
  let buffer = ''
  let data: string[] = []
  return (text) => {
    const lines = (buffer + text).split(/\r\n|\n|\r(?!$)/)
    buffer = lines.pop()!
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) onData(data.join('\n'))
        data = []
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line[5] === ' ' ? 6 : 5))
      }
    }
  }
}
