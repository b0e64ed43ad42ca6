import { expect, it } from 'vitest'
import { fromThisProcess } from '../proof/callers.ts'
import { storm } from '../proof/storm.ts'

it.each([1, 2])('a storm on %i gateways spends what there is, to the last unit, and no more', async (gateways) => {
  const result = await storm({ calls: 200, gateways, affordable: 10, callers: fromThisProcess })

  expect(result.short).toEqual([])
  expect(result).toMatchObject({ served: 10, reachedUpstream: 10, refused: 190, lowestBalance: 0 })
})
