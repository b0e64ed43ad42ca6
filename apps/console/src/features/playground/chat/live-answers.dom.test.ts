import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LiveAnswer } from './live-answers.ts'
import type { Delta } from './stream-chat.ts'

const delta = (fields: Partial<Delta>): Delta => ({ text: '', thinking: '', pictures: [], ...fields })

beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'requestAnimationFrame', 'setTimeout'] }))
afterEach(() => vi.useRealTimers())

describe('LiveAnswer', () => {
  it('renders once for all text between two frames', () => {
    const live = new LiveAnswer()
    const render = vi.fn<() => void>()
    live.subscribe(render)

    for (let word = 0; word < 500; word += 1) live.add(delta({ text: 'tide ' }))
    expect(live.content().content).toBe('')
    vi.advanceTimersByTime(100)

    expect(render).toHaveBeenCalledTimes(1)
    expect(live.content().content).toBe('tide '.repeat(500))
  })

  it('measures the time to the first token and the reasoning time', () => {
    const live = new LiveAnswer()
    vi.advanceTimersByTime(200)
    live.add(delta({ thinking: 'Hm' }))
    vi.advanceTimersByTime(3000)
    live.add(delta({ text: 'Six.' }))
    vi.advanceTimersByTime(800)
    live.add(delta({ usage: { inputTokens: 4, outputTokens: 9 } }))

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

  it('moves pictures out of the text', () => {
    const live = new LiveAnswer()

    live.add(delta({ text: 'Look: ![a gate](data:image/png;base64,AAAA) done ![x](data:text/html;base64,AA)' }))

    expect(live.result()).toMatchObject({
      content: 'Look:  done ![x](data:text/html;base64,AA)',
      pictures: [{ url: 'data:image/png;base64,AAAA', name: 'a gate' }],
    })
  })
})
