import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LiveAnswer } from './live-answers.ts'
import type { Delta } from './read-chunk.ts'

const said = (fields: Partial<Delta>): Delta => ({ text: '', thinking: '', pictures: [], ...fields })

beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'requestAnimationFrame', 'setTimeout'] }))
afterEach(() => vi.useRealTimers())

describe('LiveAnswer', () => {
  it('is drawn once for all the words that come between two pictures', () => {
    const live = new LiveAnswer()
    const draw = vi.fn<() => void>()
    live.subscribe(draw)

    for (let word = 0; word < 500; word += 1) live.add(said({ text: 'tide ' }))
    expect(live.heard().content).toBe('')
    vi.advanceTimersByTime(100)

    expect(draw).toHaveBeenCalledTimes(1)
    expect(live.heard().content).toBe('tide '.repeat(500))
  })

  it('measures the first token and the thought before the words', () => {
    const live = new LiveAnswer()
    vi.advanceTimersByTime(200)
    live.add(said({ thinking: 'Hm' }))
    vi.advanceTimersByTime(3000)
    live.add(said({ text: 'Six.' }))
    vi.advanceTimersByTime(800)
    live.add(said({ usage: { inputTokens: 4, outputTokens: 9 } }))

    expect(live.result()).toMatchObject({
      content: 'Six.',
      thinking: 'Hm',
      thinkingMs: 3000,
      firstTokenMs: 200,
      milliseconds: 4000,
      inputTokens: 4,
      outputTokens: 9,
    })
  })

  it('takes pictures out of the words, where they would be megabytes of letters', () => {
    const live = new LiveAnswer()

    live.add(said({ text: 'Look: ![a gate](data:image/png;base64,AAAA) done ![x](data:text/html;base64,AA)' }))

    expect(live.result()).toMatchObject({
      content: 'Look:  done ![x](data:text/html;base64,AA)',
      pictures: [{ url: 'data:image/png;base64,AAAA', name: 'a gate' }],
    })
  })
})
