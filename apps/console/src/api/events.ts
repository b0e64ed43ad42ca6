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

/** Silence this long after the last byte means that the connection is dead, whatever the network says. */
const SILENCE_MS = 15_000
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000
/** A connection that breaks sooner counts as a failure, even if it brought something: others may break all of them so. */
const STEADY_MS = 10_000

/**
 * Follows server-sent events until it is told to stop. Rests while nobody sees the page, and comes back by itself, ever
 * more slowly, when the connection breaks. Not an EventSource: that cannot send the header our calls need.
 */
export function followEvents({ path }: Pick<Endpoint, 'path'>, listener: Listener): () => void {
  const ended = new AbortController()
  let current: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  const start = () => {
    clearTimeout(timer)
    if (ended.signal.aborted || document.hidden || current) return
    const connection = new AbortController()
    current = connection
    const startedAt = Date.now()
    listener.onState('connecting')
    void readFeed(path, connection, {
      onOpen: () => listener.onState('open'),
      onData: (data) => listener.onData(data),
    }).then((isOver) => {
      if (current !== connection) return
      current = undefined
      if (isOver || ended.signal.aborted) return
      listener.onState('waiting')
      if (failures === 0) checkConnection()
      if (Date.now() - startedAt >= STEADY_MS) failures = 0
      timer = setTimeout(start, pauseAfter(failures))
      failures += 1
    })
  }
  const rest = () => {
    clearTimeout(timer)
    current?.abort()
    current = undefined
  }
  const look = () => (document.hidden ? rest() : start())
  document.addEventListener('visibilitychange', look)
  start()
  return () => {
    ended.abort()
    document.removeEventListener('visibilitychange', look)
    rest()
  }
}

/** Twice as long each time, and never exactly the same for all browsers that lost a server at once. */
const pauseAfter = (failures: number) =>
  Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS) * (0.75 + Math.random() / 2)

/** One connection to its end. Answers whether to give up for good: the session is over, or the feed is not for us. */
async function readFeed(
  path: string,
  connection: AbortController,
  { onOpen, onData }: { onOpen(): void; onData(data: string): void },
): Promise<boolean> {
  let silence = setTimeout(() => connection.abort(), SILENCE_MS)
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
      clearTimeout(silence)
      silence = setTimeout(() => connection.abort(), SILENCE_MS)
      events(value)
    }
  } catch {
    return false // broken, or put to rest: whoever started it knows which
  } finally {
    clearTimeout(silence)
  }
}

/** Takes text as it arrives and hands on the data of each whole event; other fields and comments are passed over. */
export function newEventReader(onData: (data: string) => void): (text: string) => void {
  let rest = ''
  let data: string[] = []
  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop()!
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
