import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DeadlineList } from './deadlines.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function limited(deadlines: DeadlineList, milliseconds: number) {
  const one = { endsAt: deadlines.endOf(milliseconds), onDeadline: vi.fn() }
  deadlines.add(one)
  return one
}

it('fires once, at most one tick late and never early', () => {
  const deadlines = new DeadlineList()
  limited(deadlines, 60_000)
  vi.advanceTimersByTime(150)
  const { onDeadline } = limited(deadlines, 1_000)

  vi.advanceTimersByTime(999)
  expect(onDeadline).not.toHaveBeenCalled()
  vi.advanceTimersByTime(101)
  expect(onDeadline).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(10_000)
  expect(onDeadline).toHaveBeenCalledOnce()
})

it('is extended by changing its end', () => {
  const deadlines = new DeadlineList()
  const one = limited(deadlines, 1_000)
  for (let chunk = 0; chunk < 10; chunk += 1) {
    vi.advanceTimersByTime(900)
    one.endsAt = deadlines.endOf(1_000)
  }
  expect(one.onDeadline).not.toHaveBeenCalled()

  vi.advanceTimersByTime(1_200)
  expect(one.onDeadline).toHaveBeenCalledOnce()
})

it('needs one timer for any number of limits, and none when there are none', () => {
  const deadlines = new DeadlineList()
  const all = Array.from({ length: 100 }, () => limited(deadlines, 60_000))
  expect(vi.getTimerCount()).toBe(1)

  for (const one of all) deadlines.delete(one)
  vi.advanceTimersByTime(100)

  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(100_000)
  expect(all.every(({ onDeadline }) => onDeadline.mock.calls.length === 0)).toBe(true)
})
