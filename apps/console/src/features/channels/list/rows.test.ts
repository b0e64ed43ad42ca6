import { describe, expect, it } from 'vitest'
import { aChannel } from '../../../../test/sample-channel.ts'
import { channelsOf, rowKey, tagRows, type TagRow } from './rows.ts'

const tagged = (tag: string, changes: Parameters<typeof aChannel>[0][]) =>
  changes.map((change, index) => aChannel({ id: index + 1, tag, ...change }))

const only = (rows: ReturnType<typeof tagRows>) => rows[0] as TagRow

describe('grouping by tag', () => {
  it('creates one row per tag in the order of first channels, and a last row for untagged channels', () => {
    const rows = tagRows([
      aChannel({ id: 1, tag: 'b' }),
      aChannel({ id: 2 }),
      aChannel({ id: 3, tag: 'a' }),
      aChannel({ id: 4, tag: 'b' }),
    ])

    expect(rows.map(rowKey)).toEqual(['tag:b', 'tag:a', 'tag:'])
    expect(rows.map((row) => channelsOf(row).map(({ id }) => id))).toEqual([[1, 4], [3], [2]])
  })

  it('enables a row if one of its channels is enabled', () => {
    expect(only(tagRows(tagged('t', [{ status: 2 }, { status: 3 }, { status: 1 }])))).toMatchObject({
      enabled: true,
      enabledCount: 1,
    })
    expect(only(tagRows(tagged('t', [{ status: 2 }, { status: 3 }]))).enabled).toBe(false)
  })

  it('sets priority and weight only if all channels share them', () => {
    const row = only(
      tagRows(
        tagged('t', [
          { priority: 5, weight: 1 },
          { priority: 5, weight: 2 },
        ]),
      ),
    )

    expect(row).toMatchObject({ priority: 5, weight: null })
  })

  it('sums amounts and keys, merges groups and models, and averages measured response times', () => {
    const row = only(
      tagRows(
        tagged('t', [
          { used_quota: 10, group: 'default,vip', models: 'a,b', response_time: 900, key_count: 2 },
          { used_quota: 5, group: 'vip', models: 'b,c', response_time: 0, key_count: 3, disabled_key_count: 1 },
          { used_quota: 0, group: 'vip', models: 'c', response_time: 1100, key_count: 1 },
        ]),
      ),
    )

    expect(row).toMatchObject({
      usedQuota: 15,
      groups: ['default', 'vip'],
      models: ['a', 'b', 'c'],
      responseTime: 1000,
      keyCount: 6,
      disabledKeyCount: 1,
    })
  })

  it('renders the first of many channels and the number of hidden ones, but contains all of them', () => {
    const row = only(
      tagRows(
        tagged(
          't',
          Array.from({ length: 120 }, () => ({})),
        ),
        () => 50,
      ),
    )

    expect(row.children).toHaveLength(51)
    expect(row.children.at(-1)).toEqual({ kind: 'more', tag: 't', hidden: 70 })
    expect(channelsOf(row)).toHaveLength(120)
  })
})
