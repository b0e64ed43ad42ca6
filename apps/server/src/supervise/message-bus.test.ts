import type { StateChange } from '@tidegate/gateway'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createBusRelay, createMessageBus } from './message-bus.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const change = (id: string, value: unknown, expiresAt = 1_000): StateChange => ({
  topic: 'circuit',
  id,
  value,
  expiresAt,
})

/** Processes connected by a relay, and what each received. */
function family(count: number) {
  const relay = createBusRelay<ReturnType<typeof member>>(() => 0)
  const members = Array.from({ length: count }, member)
  function member() {
    const sent: number[] = []
    const self = {
      sent,
      bus: createMessageBus((_topic, changes) => {
        sent.push((changes as StateChange[]).length)
        relay.forward(changes as StateChange[], { from: self, to: members })
      }),
      received: [] as string[],
      send: (_topic: string, changes: unknown) => self.bus.receive(changes as StateChange[]),
    }
    self.bus.subscribe('circuit', (id, value) => void self.received.push(`${id}=${String(value)}`))
    return self
  }
  return { relay, members, member }
}

it('sends changes to all other processes', () => {
  const { members } = family(3)

  members[0]!.bus.publish(change('a', 1))

  expect(members.map(({ received }) => received)).toEqual([[], ['a=1'], ['a=1']])
})

it('sends at most 200 messages per second, with the newest value of each id', () => {
  const { members } = family(2)
  const [one, other] = members

  for (let time = 0; time < 1_000; time += 1) {
    one!.bus.publish(change('a', time))
    one!.bus.publish(change('b', time))
    vi.advanceTimersByTime(1)
  }
  vi.runAllTimers()

  expect(one!.sent.length).toBeLessThanOrEqual(202)
  expect(other!.received.slice(-2)).toEqual(['a=999', 'b=999'])
})

it('sends what still holds to a process that starts later', () => {
  const { relay, members, member } = family(1)
  const [first] = members
  first!.bus.publish(change('open', 1))
  vi.runAllTimers()
  first!.bus.publish(change('closed', 1))
  vi.runAllTimers()
  first!.bus.publish(change('closed', 2, 0))
  vi.runAllTimers()
  const late = member()

  relay.greet(late)

  expect(late.received).toEqual(['open=1'])
})
