import { describe, expect, it } from 'vitest'
import { sharePlaces } from './share-places.ts'

const batch = (id: string, userId: number, { running = 0, waiting = 100 } = {}) => ({ id, userId, running, waiting })
const shares = (...args: Parameters<typeof sharePlaces>) => Object.fromEntries(sharePlaces(...args))

describe('sharing places among batches', () => {
  it('gives two users the same number of places, however many batches each has', () => {
    const open = [batch('a', 1), batch('b', 1), batch('c', 1), batch('d', 2)]

    expect(shares(open, { site: 10, batch: 10 })).toEqual({ a: 5, d: 5 })
  })

  it('counts what runs already', () => {
    const open = [batch('a', 1, { running: 6 }), batch('b', 2)]

    expect(shares(open, { site: 10, batch: 10 })).toEqual({ b: 4 })
  })

  it('gives one batch no more than its limit, and the rest to the next one of the user', () => {
    const open = [batch('a', 1), batch('b', 1)]

    expect(shares(open, { site: 10, batch: 4 })).toEqual({ a: 4, b: 4 })
  })

  it('gives a batch no more places than it has waiting lines', () => {
    const open = [batch('a', 1, { waiting: 1 }), batch('b', 2, { waiting: 0 }), batch('c', 3)]

    expect(shares(open, { site: 6, batch: 6 })).toEqual({ a: 1, c: 5 })
  })

  it('gives nothing while the limit of the site is reached', () => {
    expect(shares([batch('a', 1, { running: 12 })], { site: 10, batch: 20 })).toEqual({})
  })
})
