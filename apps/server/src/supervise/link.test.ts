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
  return { requester: createLink(port(one, other), {}), replying: createLink(port(other, one), handlers), raw: other }
}

it('delivers messages, and replies to questions', async () => {
  const received: unknown[] = []
  const { requester } = setUp({
    note: (text: string) => void received.push(text),
    double: async (number: number) => number * 2,
  })

  requester.send('note', 'hello')

  expect(await requester.request('double', 21)).toBe(42)
  expect(received).toEqual(['hello'])
})

it('rejects a question that fails, has no handler or gets no reply', async () => {
  const { requester } = setUp({
    fail: () => {
      throw new Error('no snapshot yet')
    },
    never: () => new Promise(() => {}),
  })

  await expect(requester.request('fail')).rejects.toThrow('no snapshot yet')
  await expect(requester.request('absent')).rejects.toThrow('unknown topic absent')
  await expect(requester.request('never', undefined, 1)).rejects.toThrow('no reply to never in time')
})

it('rejects open and later questions when the other process is gone', async () => {
  const { requester } = setUp({ never: () => new Promise(() => {}) })

  const open = requester.request('never')
  requester.close()

  await expect(open).rejects.toThrow('the other process is gone')
  await expect(requester.request('never')).rejects.toThrow('no process replies to never')
})

it('ignores messages of others on the channel', async () => {
  const { requester, raw } = setUp({ echo: (text: string) => text })

  raw.emit('message', 'text')
  raw.emit('message', { type: 'prom-client:getMetricsReq' })

  expect(await requester.request('echo', 'still here')).toBe('still here')
})
