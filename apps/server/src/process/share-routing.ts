import { logEvent, type Log } from '@tidegate/contract'
import type { StateChange, StateExchange } from '@tidegate/gateway'
import type { RedisHandle } from '@tidegate/storage'
import { createMessageBus } from '../supervise/message-bus.ts'

export interface SharedRouting extends StateExchange {
  stop(): void
}

interface Message {
  /** The machine or process that sent it. */
  readonly from: string
  readonly changes: readonly StateChange[]
}

interface ShareOptions {
  readonly redis: RedisHandle
  /** Messages from here are not received: processes of one machine share by other means. */
  readonly from: string
  readonly log: Log
}

/**
 * Shares routing state with the gateways of other machines through Redis. Without Redis, or before a gateway started to
 * listen, each learns from its own attempts.
 */
export function shareRouting({ redis, from, log }: ShareOptions): SharedRouting {
  const channel = `${redis.prefix}routing`
  const bus = createMessageBus((_topic, changes) => {
    if (!redis.isReady()) return
    redis.withTimeout(redis.client.publish(channel, JSON.stringify({ from, changes }))).catch(() => {})
  })
  const subscriber = redis.client.duplicate()
  subscriber.on('error', () => {}) // reported for the other connection
  subscriber
    .connect()
    .then(() => subscriber.subscribe(channel, receive))
    .catch((error: unknown) => subscriber.isOpen && logEvent(log, 'redis.unavailable', { err: error }))

  function receive(text: string): void {
    const message = JSON.parse(text) as Message // only gateways of this site publish here
    if (message.from !== from) bus.receive(message.changes)
  }

  return {
    publish: bus.publish,
    subscribe: bus.subscribe,
    stop() {
      if (subscriber.isOpen) subscriber.destroy()
    },
  }
}

/** Publishes to all, and receives from all. */
export function joinExchanges(exchanges: readonly StateExchange[]): StateExchange {
  return {
    publish: (change) => exchanges.forEach((exchange) => exchange.publish(change)),
    subscribe: (topic, apply) => exchanges.forEach((exchange) => exchange.subscribe(topic, apply)),
  }
}
