import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { estimateTokens, measurePrompt } from '../src/tokens/estimate-tokens.ts'
import { LONG_TEXT } from '../src/tokens/yield-event-loop.ts'
import { aChannel } from './support/catalog.ts'
import { startGateway, type TestGateway } from './support/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway
/** Iterations of the event loop so far. */
let turns: number
let next: NodeJS.Immediate
beforeEach(async () => {
  upstream = await fakeUpstream()
  gateway = await startGateway({ channels: [aChannel({ baseUrl: upstream.url })] })
  turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  next = setImmediate(count)
})
afterEach(async () => {
  clearImmediate(next)
  vi.restoreAllMocks()
  await gateway.close()
  await upstream.close()
})

const BOOK = 'How high does the tide rise tonight? '.repeat(60_000) // two megabytes

describe('a prompt of two megabytes', () => {
  it('yields between the steps of its request', async () => {
    const at: Record<'read' | 'held' | 'sent', number | undefined> = {
      read: undefined,
      held: undefined,
      sent: undefined,
    }
    const { parse } = JSON
    vi.spyOn(JSON, 'parse').mockImplementation((text: string, reviver) => {
      if (text.length > LONG_TEXT / 4) at.read ??= turns // its first slice
      return parse(text, reviver) as unknown
    })
    const reserve = gateway.credit.reserve.bind(gateway.credit)
    vi.spyOn(gateway.credit, 'reserve').mockImplementation((request) => {
      at.held = turns
      return reserve(request)
    })
    const from = Buffer.from.bind(Buffer)
    vi.spyOn(Buffer, 'from').mockImplementation(((value: string, encoding: 'utf8') => {
      if (typeof value === 'string' && value.length > BOOK.length && at.held !== undefined) at.sent ??= turns
      return from(value, encoding)
    }) as typeof Buffer.from)

    const { status } = await gateway.chat({ model: 'gpt-4o', messages: [{ role: 'user', content: BOOK }] })

    expect(status).toBe(200)
    // The token estimate alone yields this often.
    expect(at.held! - at.read!).toBeGreaterThan(BOOK.length / LONG_TEXT)
    expect(at.sent! - at.held!).toBeGreaterThanOrEqual(2)
  })

  it('has the same estimate in slices, in one or in many texts', async () => {
    const texts = ['潮汐'.repeat(LONG_TEXT), ...Array.from({ length: 1000 }, () => BOOK.slice(0, 999))]

    const before = turns
    const guess = await measurePrompt('gpt-4o', { texts, otherTokens: 7 }, Infinity)

    expect(guess).toBe(estimateTokens(texts) + 7)
    expect(turns - before).toBeGreaterThanOrEqual(5)
  })
})

it('estimates a short prompt at once', () => {
  expect(measurePrompt('gpt-4o', { texts: ['abcdefgh'], otherTokens: 1 }, Infinity)).toBe(3)
})
