import { randomUUID } from 'node:crypto'
import { logEvent } from '@tidegate/contract'
import type { Client } from 'pg'
import type { Db } from '../connection/connect.ts'
import { listen, type ListenOptions } from './listen.ts'
import { publishEcho, readChangeCounter, type ChangeNotification } from './change-notifications.ts'

export interface ChangeSubscriber {
  onNotification(notification: ChangeNotification): void
  /** Notifications may have been missed: drop what depends on them. */
  onGap?(): void
}

export interface SharedListener {
  /** Returns a function that unsubscribes. */
  subscribe(subscriber: ChangeSubscriber): () => void
  stop(): Promise<void>
}

interface SharedListenerOptions extends Omit<ListenOptions, 'onReconnect'> {
  /** For queries on other connections than the listening one. */
  db: Db
  /** How often the process sends itself a notification. */
  echoMs?: number
  /** How often changes are looked for while notifications do not arrive. */
  pollMs?: number
}

/** A change is counted before its transaction ends, so its effect is looked for during the next ten seconds. */
const LOOKS = 7

/**
 * One listening connection for all subscribers of a process. A connection that is open but receives nothing is detected:
 * the process sends itself notifications. Until they arrive, it polls for changes.
 */
export async function startSharedListener(
  newClient: () => Client,
  { db, echoMs = 5_000, pollMs = 1_500, ...options }: SharedListenerOptions,
): Promise<SharedListener> {
  const { log } = options
  const subscribers = new Set<ChangeSubscriber>()
  const ownId = randomUUID()
  let isHearing = false
  let isDeafLogged = false
  let echoesSince = 0

  /** A subscriber that throws must not affect the others. */
  function notifyAll(notify: (subscriber: ChangeSubscriber) => void): void {
    for (const subscriber of subscribers) {
      try {
        notify(subscriber)
      } catch (error) {
        logEvent(log, 'database.notification_failed', { err: error })
      }
    }
  }

  const reportGap = () => notifyAll((subscriber) => subscriber.onGap?.())

  function receive(notification: ChangeNotification): void {
    if (notification.kind !== 'echo') return notifyAll((subscriber) => subscriber.onNotification(notification))
    if (notification.id !== ownId) return
    echoesSince = 0
    if (isHearing) return
    isHearing = true
    if (isDeafLogged) logEvent(log, 'database.listener_hears')
    isDeafLogged = false
    reportGap() // changes since the last poll
  }

  async function sendEcho(): Promise<void> {
    if (echoesSince > 0) isHearing = false
    if (echoesSince > 1 && !isDeafLogged) {
      isDeafLogged = true
      logEvent(log, 'database.listener_deaf')
    }
    echoesSince += 1
    await publishEcho(db, ownId)
  }

  let counted: string | undefined
  let looksLeft = LOOKS
  async function poll(): Promise<void> {
    if (isHearing) return
    const counter = await readChangeCounter(db)
    if (counter !== counted) looksLeft = LOOKS
    counted = counter
    if (looksLeft === 0) return
    looksLeft -= 1
    reportGap()
  }

  const listening = await listen(newClient, receive, { ...options, onReconnect: reportGap })
  const loops = [repeat(echoMs, sendEcho), repeat(pollMs, poll)]
  return {
    subscribe(subscriber) {
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    async stop() {
      await Promise.all(loops.map((stop) => stop()))
      await listening.stop()
    },
  }
}

/** Runs now and then again after each pause. Errors are ignored: the next run may succeed. */
function repeat(pauseMs: number, work: () => Promise<void>): () => Promise<void> {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void>
  const run = () => {
    running = work()
      .catch(() => {})
      .then(() => {
        if (!isStopped) timer = setTimeout(run, pauseMs)
      })
  }
  run()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}
