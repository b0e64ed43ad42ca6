import type { Client } from 'pg'
import { listen, type ListenOptions } from './listen.ts'
import type { Notice } from './change-notifications.ts'

export interface NoticeSubscriber {
  onNotice(notification: Notice): void
  /** Notices may have been missed: drop what depends on them. */
  onGap?(): void
}

export interface SharedNotices {
  /** Answers the way to unsubscribe. */
  subscribe(subscriber: NoticeSubscriber): () => void
  stop(): Promise<void>
}

/** One listening connection for everything in a process that follows changes. */
export async function shareNotices(
  newClient: () => Client,
  options: Omit<ListenOptions, 'onReconnect'> = {},
): Promise<SharedNotices> {
  const subscribers = new Set<NoticeSubscriber>()

  /** One that fails must not keep the news from the others. */
  function notifyAll(notify: (subscriber: NoticeSubscriber) => void): void {
    for (const subscriber of subscribers) {
      try {
        notify(subscriber)
      } catch (error) {
        options.log?.error({ err: error }, 'a change notice could not be followed')
      }
    }
  }

  const listening = await listen(
    newClient,
    (notification) => notifyAll((subscriber) => subscriber.onNotice(notification)),
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
