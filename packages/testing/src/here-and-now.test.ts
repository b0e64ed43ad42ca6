import { expect, it, vi } from 'vitest'
import { hereAndNow } from './here-and-now.ts'

/** A clock on which the work takes so long. */
function workTakes(milliseconds: number): void {
  let time = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (time += milliseconds))
}

it.each([
  ['three times as long where the work takes three times as long', 84, 3_000],
  ['as long as was asked for on a quicker machine', 7, 1_000],
])('is %s', (_what, milliseconds, expected) => {
  workTakes(milliseconds)

  const here = hereAndNow(1_000)

  vi.restoreAllMocks()
  expect(here).toBe(expected)
})
