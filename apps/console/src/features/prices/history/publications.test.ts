import type { OptionChange } from '@tidegate/contract/api'
import { describe, expect, it } from 'vitest'
import { readGroups } from '../groups.ts'
import { readPriceList } from '../price-list.ts'
import { publicationsOf, publishedModels, reversalOf } from './publications.ts'

const aChange = (changes: Partial<OptionChange>): OptionChange => ({
  id: 1,
  created_at: 100,
  actor_id: 1,
  actor: 'admin',
  key: 'ModelRatio',
  secret: false,
  before: '{"reef":1}',
  after: '{"reef":2}',
  way: 'edit',
  ...changes,
})

const NOW = { ModelRatio: '{"reef":3,"tide":1}', CompletionRatio: '{"reef":4}', GroupRatio: '{"default":1,"vip":0.8}' }
const LATER = aChange({ id: 3, created_at: 200, before: '{"reef":2}', after: NOW.ModelRatio })

describe('publications', () => {
  it('group the changes of one person at one time', () => {
    const ratio = aChange({ id: 1 })
    const completion = aChange({ id: 2, created_at: 102, key: 'CompletionRatio' })
    const other = aChange({ id: 4, created_at: 103, key: 'CacheRatio', actor_id: 2 })

    const publications = publicationsOf([ratio, completion, LATER, other], NOW)

    expect(publications.map(({ changes }) => changes.map(({ id }) => id))).toEqual([[3], [4], [2, 1]])
  })

  it('keep two changes of the same option apart', () => {
    expect(publicationsOf([aChange({ id: 1 }), aChange({ id: 2, created_at: 101 })], NOW)).toHaveLength(2)
  })

  it('take unchanged options from the later changes', () => {
    const completion = aChange({ id: 1, key: 'CompletionRatio', before: '{"reef":2}', after: '{"reef":4}' })

    const [, first] = publicationsOf([LATER, completion], NOW)

    expect(publishedModels(first!, () => ({}), 2)).toMatchObject([
      { name: 'reef', state: 'changed', before: { input: 4, output: 8 }, after: { input: 4, output: 16 } },
    ])
  })

  it('mark new and removed models', () => {
    const [both] = publicationsOf([aChange({ before: '{"old":1}', after: '{"new":1}' })], NOW)

    expect(publishedModels(both!, () => ({}), 2)).toMatchObject([
      { name: 'new', state: 'new', before: {}, after: { input: 2 } },
      { name: 'old', state: 'removed', before: { input: 2 }, after: {} },
    ])
  })
})

describe('a reversal', () => {
  const reversal = (change: OptionChange) =>
    reversalOf(publicationsOf([change], NOW)[0]!, readPriceList(NOW), readGroups(NOW))

  it('restores only the models that the publication changed', () => {
    expect(reversal(aChange({})).prices).toEqual([['reef', { ratio: 1, completion: 4 }]])
  })

  it('removes models that the publication added', () => {
    expect(reversal(aChange({ before: '{"reef":3}', after: NOW.ModelRatio }))).toMatchObject({
      prices: [['tide', null]],
      count: 1,
    })
  })

  it('restores groups and keeps the others', () => {
    const { groups, count } = reversal(
      aChange({ key: 'GroupRatio', before: '{"default":1,"vip":0.9,"gone":2}', after: NOW.GroupRatio }),
    )

    expect(count).toBe(2)
    expect(groups?.groups.map(({ name, ratio }) => [name, ratio])).toEqual([
      ['default', 1],
      ['vip', 0.9],
      ['gone', 2],
    ])
  })

  it('is empty if the old prices are the current ones', () => {
    expect(reversal(aChange({ before: NOW.ModelRatio, after: '{"reef":9,"tide":1}' })).count).toBe(0)
  })
})
