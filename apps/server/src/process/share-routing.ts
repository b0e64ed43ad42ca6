import { randomUUID } from 'node:crypto'
import { logEvent, type Log } from '@tidegate/contract'
import type { StateChange, StateExchange } from '@tidegate/gateway'
import type { RedisHandle } from '@tidegate/storage'
import { createMessageBus, rememberChanges } from '../supervise/message-bus.ts'

export interface SharedRouting extends StateExchange {
  /** Resolves when the changes of other gateways arrive. */
  readonly listening: Promise<void>
  stop(): void
}

interface Message {
  /** The machine or process that sent it. */
  readonly from: string
  readonly changes?: readonly StateChange[]
  /** The sender has just begun to listen: others send there what they changed before. */
  readonly replyTo?: string
}

/** Changes per message of a reply. */
const CHANGES_PER_REPLY = 500

interface ShareOptions {
  readonly redis: RedisHandle
  /** Messages from here are not received: processes of one machine share by other means. */
  readonly from: string
  readonly log: Log
}

/**
 * Shares routing state with the gateways of other machines through Redis. A gateway that begins to listen asks the others
 * for what they changed before. Without Redis, each learns from its own attempts.
 */
export function shareRouting({ redis, from, log }: ShareOptions): SharedRouting {
  const channel = `${redis.prefix}routing`
  const inbox = `${channel}:${randomUUID()}`
  /** Each change is remembered by the gateway that made it, so that one of them replies with it. */
  const own = rememberChanges()
  const send = (to: string, message: Omit<Message, 'from'>) => {
    if (!redis.isReady()) return
    redis.withTimeout(redis.client.publish(to, JSON.stringify({ from, ...message }))).catch(() => {})
  }
  const bus = createMessageBus((_topic, changes) => send(channel, { changes: changes as StateChange[] }))
  const askOthers = () => send(channel, { replyTo: inbox })
  const subscriber = redis.client.duplicate()
  subscriber.on('error', () => {}) // reported for the other connection
  const listening = subscriber
    .connect()
    .then(() => subscriber.subscribe([channel, inbox], receive))
    .then(() => {
      askOthers()
      subscriber.on('ready', askOthers) // changes were missed while Redis was away
    })
    .catch((error: unknown) => subscriber.isOpen && logEvent(log, 'redis.unavailable', { err: error }))
    .then(() => {})

  function receive(text: string): void {
    const message = JSON.parse(text) as Message // only gateways of this site publish here
    if (message.from === from) return
    if (message.changes) {
      message.changes.forEach(own.forget)
      bus.receive(message.changes)
    }
    if (message.replyTo !== undefined) reply(message.replyTo)
  }

  function reply(to: string): void {
    const changes = own.current()
    for (let at = 0; at < changes.length; at += CHANGES_PER_REPLY)
      send(to, { changes: changes.slice(at, at + CHANGES_PER_REPLY) })
  }

  return {
    publish(change) {
      own.add(change)
      bus.publish(change)
    },
    subscribe: bus.subscribe,
    listening,
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
