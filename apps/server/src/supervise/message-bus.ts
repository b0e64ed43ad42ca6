import type { StateChange, StateExchange } from '@tidegate/gateway'
import type { Link } from './link.ts'

export interface MessageBus extends StateExchange {
  /** Called with what other processes published. */
  receive(changes: readonly StateChange[]): void
}

/** At most 200 messages per second and process. */
const INTERVAL_MS = 5

/** The end of the bus in a process. Changes of one interval travel together, only the newest of each id. */
export function createMessageBus(send: Link['send']): MessageBus {
  const subscribers: { topic: string; apply: (id: string, value: never) => void }[] = []
  const waiting = new Map<string, StateChange>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    timer = undefined
    if (waiting.size === 0) return
    send('bus', [...waiting.values()])
    waiting.clear()
    timer = setTimeout(flush, INTERVAL_MS).unref()
  }

  return {
    publish(change) {
      waiting.set(nameOf(change), change)
      if (!timer) flush()
    },
    subscribe: (topic, apply) => void subscribers.push({ topic, apply }),
    receive(changes) {
      for (const { topic, id, value } of changes) {
        for (const subscriber of subscribers) if (subscriber.topic === topic) subscriber.apply(id, value as never)
      }
    },
  }
}

function nameOf({ topic, id }: StateChange): string {
  return `${topic} ${id}`
}

const MAX_REMEMBERED = 10_000

/** The newest change of each id that still holds, for processes that start later. */
export function rememberChanges(now: () => number = Date.now) {
  const remembered = new Map<string, StateChange>()
  return {
    add(change: StateChange): void {
      const name = nameOf(change)
      remembered.delete(name)
      if (change.expiresAt <= now()) return
      remembered.set(name, change)
      if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
    },
    /** Another process changed it. */
    forget: (change: StateChange) => void remembered.delete(nameOf(change)),
    current: () => [...remembered.values()].filter(({ expiresAt }) => expiresAt > now()),
  }
}

/** The supervisor's end: forwards changes to the other processes, and sends new ones what still holds. */
export function createBusRelay<Member extends Pick<Link, 'send'>>(now?: () => number) {
  const remembered = rememberChanges(now)
  return {
    forward(changes: readonly StateChange[], { from, to }: { from: Member; to: Iterable<Member> }): void {
      changes.forEach(remembered.add)
      for (const member of to) if (member !== from) member.send('bus', changes)
    },
    greet(member: Member): void {
      const current = remembered.current()
      if (current.length > 0) member.send('bus', current)
    },
  }
}
