import { expect, it } from 'vitest'
import { killAndReconcile } from '../proof/kill.ts'

it('a gateway that is killed has settled what its clients saw complete, once, when it is back', async () => {
  const result = await killAndReconcile({ calls: 300, callers: 24, victim: 'gateway', times: 2 })

  expect(result.short).toEqual([])
  expect(result.complete).toBeGreaterThan(100)
}, 120_000)

it('a database that goes away costs refusals, and no money', async () => {
  const result = await killAndReconcile({ calls: 300, callers: 24, victim: 'postgres', times: 1 })

  expect(result.short).toEqual([])
  expect(result.interrupted).toBe(0)
}, 120_000)

it('a Redis that goes away costs nothing at all', async () => {
  const result = await killAndReconcile({ calls: 100, callers: 24, victim: 'redis', times: 1 })

  expect(result.short).toEqual([])
  expect(result).toMatchObject({ complete: 70, broken: 10, left: 10, refused: 10 })
}, 120_000)
