import { expect, it } from 'vitest'
import { RecentMap } from './recent-map.ts'

it('drops the entry that was set longest ago, and reports it', () => {
  const dropped: [string, number][] = []
  const map = new RecentMap<string, number>(2, (key, value) => dropped.push([key, value]))

  map.set('a', 1)
  map.set('b', 2)
  map.get('a')
  map.set('b', 3)
  map.set('c', 4)
  map.set('b', 5)
  map.set('d', 6)

  expect(dropped).toEqual([
    ['a', 1],
    ['c', 4],
  ])
  expect([map.size, map.get('a'), map.values()]).toEqual([2, undefined, [5, 6]])
})
