import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useCountdown } from './use-countdown.ts'

it('starts at the seconds it was given, however slowly it is started', () => {
  let clock = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (clock += 5))
  const { result } = renderHook(() => useCountdown(30))

  act(() => result.current.start())

  expect(result.current.left).toBe(30)
})
