import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Countdown } from './countdown.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('fires once when its time is over', () => {
  const over = vi.fn()
  const countdown = new Countdown()
  countdown.start(100, over)

  vi.advanceTimersByTime(99)
  expect(over).not.toHaveBeenCalled()
  expect(countdown.isRunning).toBe(true)
  vi.advanceTimersByTime(1)
  expect(over).toHaveBeenCalledOnce()
  expect(countdown.isRunning).toBe(false)
  vi.advanceTimersByTime(60_000)
  expect(over).toHaveBeenCalledOnce()
})

it('fires on time for any duration', () => {
  const over = vi.fn()
  new Countdown().start(123_456, over)

  vi.advanceTimersByTime(123_455)
  expect(over).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(over).toHaveBeenCalledOnce()
})

it('is extended by every chunk, and can be set to an earlier end', () => {
  const late = vi.fn()
  const early = vi.fn()
  const countdown = new Countdown()
  countdown.start(60_000, late)
  for (let piece = 0; piece < 10; piece += 1) {
    vi.advanceTimersByTime(50_000)
    countdown.extend(60_000)
  }
  countdown.start(20, early)
  vi.advanceTimersByTime(20)

  expect(early).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(600_000)
  expect(late).not.toHaveBeenCalled()
})

it('does not fire after it was stopped, also when it is extended afterwards', () => {
  const over = vi.fn()
  const countdown = new Countdown()
  countdown.start(100, over)
  countdown.stop()
  countdown.extend(100)
  vi.advanceTimersByTime(1_000)

  expect(over).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})
