import { beforeEach, expect, it } from 'vitest'
import { KEEP_ALIVE } from '../../http/send-stream.ts'
import { type Follower, followUnread } from './unread-feed.ts'

let follower: Follower
let hasLeft: boolean
const feed = {
  follow(_userId: number, joined: Follower) {
    follower = joined
    return () => void (hasLeft = true)
  },
  stop: () => {},
}
const listener = { userId: 1, isAllowed: async () => true, signal: new AbortController().signal }
beforeEach(() => {
  hasLeft = false
})

it('yields each count once, and keep-alives in between', async () => {
  const events = followUnread(feed, listener, { quietMs: 5, checkMs: 60_000 })
  const first = events.next()
  follower.onCount(3)
  expect(await first).toEqual({ done: false, value: { unread_count: 3 } })

  const second = events.next()
  follower.onCount(3)

  expect(await second).toEqual({ done: false, value: KEEP_ALIVE })
  await events.return(undefined)
  expect(hasLeft).toBe(true)
})

it('checks access periodically and ends without it', async () => {
  let checks = 0
  const isAllowed = async () => ++checks < 3
  const seen: unknown[] = []

  for await (const event of followUnread(feed, { ...listener, isAllowed }, { quietMs: 1, checkMs: 3 })) seen.push(event)

  expect(checks).toBe(3)
  expect(new Set(seen)).toEqual(new Set([KEEP_ALIVE]))
  expect(hasLeft).toBe(true)
})

it('ends when the reader disconnects', async () => {
  const leaving = new AbortController()
  const events = followUnread(feed, { ...listener, signal: leaving.signal })
  const next = events.next()

  leaving.abort()

  expect(await next).toEqual({ done: true, value: undefined })
  expect(hasLeft).toBe(true)
})
