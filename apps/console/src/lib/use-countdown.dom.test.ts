import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useCountdown } from './use-countdown.ts'

it('starts at the given seconds, even if the clock advances during the start', () => {
  let clock = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (clock += 5))
  const { result } = renderHook(() => useCountdown(30))

  act(() => result.current.start())

  expect(result.current.left).toBe(30)
})
