import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { createLink, type MessagePort, type TopicHandlers } from './link.ts'

/** Two ends of a channel that copies messages like IPC does. */
function setUp(handlers: TopicHandlers) {
  const [one, other] = [new EventEmitter(), new EventEmitter()]
  const port = (self: EventEmitter, peer: EventEmitter): MessagePort => ({
    send: (message) => void peer.emit('message', JSON.parse(JSON.stringify(message))),
    onMessage: (handle) => void self.on('message', handle),
  })
  return { asking: createLink(port(one, other), {}), replying: createLink(port(other, one), handlers), raw: other }
}

it('delivers messages, and replies to questions', async () => {
  const told: unknown[] = []
  const { asking } = setUp({
    note: (text: string) => void told.push(text),
    double: async (number: number) => number * 2,
  })

  asking.tell('note', 'hello')

  expect(await asking.ask('double', 21)).toBe(42)
  expect(told).toEqual(['hello'])
})

it('rejects a question that fails, has no handler or gets no reply', async () => {
  const { asking } = setUp({
    fail: () => {
      throw new Error('no snapshot yet')
    },
    never: () => new Promise(() => {}),
  })

  await expect(asking.ask('fail')).rejects.toThrow('no snapshot yet')
  await expect(asking.ask('absent')).rejects.toThrow('unknown topic absent')
  await expect(asking.ask('never', undefined, 1)).rejects.toThrow('no reply to never in time')
})

it('rejects open and later questions when the other process is gone', async () => {
  const { asking } = setUp({ never: () => new Promise(() => {}) })

  const open = asking.ask('never')
  asking.close()

  await expect(open).rejects.toThrow('the other process is gone')
  await expect(asking.ask('never')).rejects.toThrow('no process replies to never')
})

it('ignores messages of others on the channel', async () => {
  const { asking, raw } = setUp({ echo: (text: string) => text })

  raw.emit('message', 'text')
  raw.emit('message', { type: 'prom-client:getMetricsReq' })

  expect(await asking.ask('echo', 'still here')).toBe('still here')
})
