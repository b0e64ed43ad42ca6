import { setTimeout as delay } from 'node:timers/promises'
import { logEvent, type Log } from '@tidegate/contract'
import type { Client } from 'pg'
import { NOTIFICATION_CHANNEL, parseNotification, type ChangeNotification } from './change-notifications.ts'

export interface ListenOptions {
  /** Called after a reconnect. Notifications may have been missed, so drop what depends on them. */
  onReconnect?: () => void
  log?: Log
  /** How often the connection is checked. A dead connection would otherwise look like an idle system. */
  heartbeatMs?: number
  /** First and longest delay between attempts. */
  backoffMs?: { first: number; max: number }
}

export interface Listener {
  stop(): Promise<void>
}

/**
 * Listens on a separate connection until stopped and always reconnects. Resolves after the first attempt to connect.
 */
export async function listen(
  newClient: () => Client,
  onNotification: (notification: ChangeNotification) => void,
  options: ListenOptions = {},
): Promise<Listener> {
  const { onReconnect, log, heartbeatMs = 10_000, backoffMs = { first: 100, max: 5_000 } } = options
  const stopping = new AbortController()
  let firstAttempt = () => {}
  const started = new Promise<void>((resolve) => (firstAttempt = resolve))

  async function listenForever(): Promise<void> {
    let wait = backoffMs.first
    let mayHaveMissed = false
    while (!stopping.signal.aborted) {
      try {
        await listenOnce(newClient(), onNotification, heartbeatMs, stopping.signal, () => {
          if (mayHaveMissed) onReconnect?.()
          mayHaveMissed = true
          wait = backoffMs.first
          firstAttempt()
        })
      } catch (error) {
        if (stopping.signal.aborted) return
        // A process that has not listened yet may have missed notifications too.
        mayHaveMissed = true
        logEvent(log, 'database.listener_lost', { err: error, retryInMs: wait })
        firstAttempt()
        await delay(wait, undefined, { signal: stopping.signal }).catch(() => {})
        wait = Math.min(wait * 2, backoffMs.max)
      }
    }
  }

  const running = listenForever()
  await started
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Runs one connection: returns when stopped, throws when the connection is lost. */
async function listenOnce(
  client: Client,
  onNotification: (notification: ChangeNotification) => void,
  heartbeatMs: number,
  stop: AbortSignal,
  onListening: () => void,
): Promise<void> {
  let heartbeat: NodeJS.Timeout | undefined
  const closed = new AbortController()
  try {
    await new Promise<void>((resolve, reject) => {
      client.on('error', reject)
      client.on('end', () => reject(new Error('the connection ended')))
      client.on('notification', ({ channel, payload }) => {
        const notification = channel === NOTIFICATION_CHANNEL ? parseNotification(payload ?? '') : undefined
        if (notification) onNotification(notification)
      })
      stop.addEventListener('abort', () => resolve(), { once: true, signal: closed.signal })
      client
        .connect()
        .then(() => client.query(`listen ${NOTIFICATION_CHANNEL}`))
        .then(() => {
          if (stop.aborted) return
          onListening()
          heartbeat = setInterval(() => void sendHeartbeat(client, heartbeatMs).catch(reject), heartbeatMs)
        })
        .catch(reject)
    })
  } finally {
    closed.abort()
    clearInterval(heartbeat)
    client.on('error', () => {})
    await closeClient(client)
  }
}

async function sendHeartbeat(client: Client, withinMs: number): Promise<void> {
  const timeout = new AbortController()
  try {
    await Promise.race([
      client.query('select 1'),
      delay(withinMs, undefined, { signal: timeout.signal }).then(() => {
        throw new Error('the connection gives no sign of life')
      }),
    ])
  } finally {
    timeout.abort()
  }
}

/** Closes the client without waiting long, because the server may be gone. */
async function closeClient(client: Client): Promise<void> {
  await Promise.race([client.end().catch(() => {}), delay(500, undefined, { ref: false })])
}
