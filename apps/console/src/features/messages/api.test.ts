import { describe, expect, it } from 'vitest'
import { reloadDelay } from './api.ts'

const NOW = 1_800_000_000_000
const SENT = { state: 'sent', send_at: null } as const
const dueIn = (seconds: number) => ({ state: 'scheduled', send_at: NOW / 1000 + seconds }) as const

describe('reloadDelay', () => {
  it('returns false when all messages are sent', () => {
    expect(reloadDelay([SENT, { ...SENT, send_at: 1 }], NOW)).toBe(false)
  })

  it('is short while a message is being sent', () => {
    expect(reloadDelay([SENT, { state: 'sending', send_at: null }, dueIn(3600)], NOW)).toBe(2000)
  })

  it('ends when the next message is due, and is at most a minute', () => {
    expect(reloadDelay([dueIn(3600)], NOW)).toBe(60_000)
    expect(reloadDelay([dueIn(3600), dueIn(20)], NOW)).toBe(20_000)
    expect(reloadDelay([dueIn(-5)], NOW)).toBe(2000)
  })
})
