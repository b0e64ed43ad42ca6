import { expect, it } from 'vitest'
import { addressOf } from './source.ts'
import { flag, integer, timestamp, text, unixTime } from './cells.ts'
import { goDsnToUrl } from './open-source.ts'

it('reads a cell in the same way from every engine', () => {
  const key = 'k'.repeat(40)
  for (const value of [key, `${key}        `, Buffer.from(key)]) expect(text({ key: value }, 'key')).toBe(key)
  for (const value of [7, 7n, '7']) expect(integer({ quota: value }, 'quota')).toBe(7)
  for (const value of [1, 1n, true, '1', 't', Buffer.from([1])]) expect(flag({ on: value }, 'on')).toBe(true)
  for (const value of [0, 0n, false, null, undefined, '0', Buffer.from([0])])
    expect(flag({ on: value }, 'on')).toBe(false)
})

it('recognizes missing values and values out of range', () => {
  expect(text({ name: null }, 'name')).toBe('')
  expect(integer({}, 'quota')).toBe(0)
  expect(integer({ quota: 9_007_199_254_740_993n }, 'quota')).toBeUndefined()
  expect(integer({ quota: 'many' }, 'quota')).toBeUndefined()
  expect(unixTime({ at: -1 }, 'at')).toBeNull()
  expect(unixTime({ at: 1_767_225_600n }, 'at')?.toISOString()).toBe('2026-01-01T00:00:00.000Z')
  expect(timestamp({ at: '2026-03-01 02:03:04.5+08:00' }, 'at')?.toISOString()).toBe('2026-02-28T18:03:04.500Z')
  expect(timestamp({ at: 'never' }, 'at')).toBeNull()
})

it('accepts Go data source names, and hides passwords', () => {
  const url = goDsnToUrl('root:p@ss:word@tcp(db.example:3306)/oneapi?charset=utf8mb4')

  expect(url).toBe('mysql://root:p%40ss%3Aword@db.example:3306/oneapi')
  expect(addressOf(url)).toBe('mysql://db.example:3306/oneapi')
  expect(addressOf('postgresql://me:secret@db/newapi?sslmode=disable')).toBe('postgres://db/newapi')
  expect(goDsnToUrl('root@tcp(127.0.0.1:3306)/db')).toBe('mysql://root:@127.0.0.1:3306/db')
  expect(goDsnToUrl('sqlite:./one-api.db')).toBe('sqlite:./one-api.db')
})
