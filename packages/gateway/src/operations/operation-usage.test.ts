import { expect, it } from 'vitest'
import { readImageWork } from './operation-usage.ts'

it.each<unknown>([1, '2', 128])('counts %j images', (n) => {
  expect(readImageWork('dall-e-2', { n })).toMatchObject({ kind: 'images', count: Number(n) })
})

it.each<unknown>([0, -1, 1.5, 129, 'x', null, true, [1], {}, { toString: null, valueOf: 1 }])(
  'rejects %o images',
  (n) => {
    expect(() => readImageWork('dall-e-2', { n })).toThrow('n must be from 1 to 128')
  },
)
