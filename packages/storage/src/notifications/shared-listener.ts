import { logEvent } from '@tidegate/contract'
import type { Client } from 'pg'
import { listen, type ListenOptions } from './listen.ts'
import type { ChangeNotification } from './change-notifications.ts'

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

/** One listening connection for all subscribers of a process. */
export async function startSharedListener(
  newClient: () => Client,
  options: Omit<ListenOptions, 'onReconnect'> = {},
): Promise<SharedListener> {
  const subscribers = new Set<ChangeSubscriber>()

  /** A subscriber that throws must not affect the others. */
  function notifyAll(notify: (subscriber: ChangeSubscriber) => void): void {
    for (const subscriber of subscribers) {
      try {
        notify(subscriber)
      } catch (error) {
        logEvent(options.log, 'database.notification_failed', { err: error })
      }
    }
  }

  const listening = await listen(
    newClient,
    (notification) => notifyAll((subscriber) => subscriber.onNotification(notification)),
    {
      ...options,
      onReconnect: () => notifyAll((subscriber) => subscriber.onGap?.()),
    },
  )
  return {
    subscribe(subscriber) {
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    stop: () => listening.stop(),
  }
}
