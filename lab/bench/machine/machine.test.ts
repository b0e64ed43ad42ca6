import { expect, it } from 'vitest'
import { maxStreams, parseOpenFileLimit } from './machine.ts'

it('computes how many streams fit into the limit of open files', () => {
  const text =
    'Limit                     Soft Limit           Hard Limit           Units\nMax open files            1024                 20000                files\n'

  expect(parseOpenFileLimit(text)).toBe(20_000)
  expect(maxStreams(20_000)).toBe(9_900)
  expect(parseOpenFileLimit('Max open files            unlimited            unlimited            files\n')).toBe(
    Infinity,
  )
})
