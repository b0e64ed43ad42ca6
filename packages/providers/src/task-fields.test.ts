import { describe, expect, it } from 'vitest'
import { readUrl, readPercent, readReason, readStatus, readTaskId, readTime } from './task-fields.ts'

/** Values that broken or malicious providers send. */
const NONSENSE: readonly unknown[] = [undefined, null, true, {}, [], ['a'], { id: 'a' }, Number.NaN, Infinity]

describe('readTaskId', () => {
  it.each([
    ['1718000000000001', '1718000000000001'],
    [1718000000000001, '1718000000000001'],
    ['a/b?c#d', 'a/b?c#d'],
    ['...', '...'],
  ])('accepts %j', (value, id) => {
    expect(readTaskId(value)).toBe(id)
  })

  it.each([...NONSENSE, '', '  ', '.', '..', 'a\0b', 'a\nb', 1.5, 2 ** 60, 'x'.repeat(201)])('rejects %j', (value) => {
    expect(readTaskId(value)).toBeUndefined()
  })
})

describe('readStatus', () => {
  const statuses = new Map([['DONE', 'SUCCESS']] as const)

  it.each([
    ['done', 'SUCCESS'],
    ['constructor', 'UNKNOWN'],
    ['', 'UNKNOWN'],
    [['DONE'], 'UNKNOWN'],
  ])('reads %j as %s', (value, status) => {
    expect(readStatus(statuses, value)).toBe(status)
  })
})

describe('readPercent', () => {
  it.each([
    ['35%', 35],
    [' 7.9 % ', 7],
    ['100', 100],
    ['999%', 100],
    [42.9, 42],
    [-5, 0],
    [1e300, 100],
  ])('reads %j as %i', (value, percent) => {
    expect(readPercent(value)).toBe(percent)
  })

  it.each([...NONSENSE, '', 'soon', '%', '-1%', '9'.repeat(100_000)])('returns nothing for %j', (value) => {
    expect(readPercent(value)).toBeUndefined()
  })
})

describe('readTime', () => {
  it.each([
    [1_718_000_000, '2024-06-10T06:13:20.000Z'],
    [1_718_000_000_123, '2024-06-10T06:13:20.123Z'],
  ])('detects the unit of %i', (value, time) => {
    expect(readTime(value)?.toISOString()).toBe(time)
  })

  it.each([...NONSENSE, 0, -1, 1e18, '1718000000'])('returns nothing for %j', (value) => {
    expect(readTime(value)).toBeUndefined()
  })
})

describe('readUrl', () => {
  it.each(['https://cdn.example/a.png?ex=1', 'http://127.0.0.1:8080/a.png'])('accepts %s', (address) => {
    expect(readUrl(address)).toBe(address)
  })

  it.each([
    ...NONSENSE,
    '',
    '/a.png',
    'javascript:alert(1)',
    'file:///etc/passwd',
    `https://x.example/${'a'.repeat(9000)}`,
  ])('rejects %j', (value) => {
    expect(readUrl(value)).toBeUndefined()
  })
})

describe('readReason', () => {
  it('limits the length', () => {
    expect(readReason('x'.repeat(1_000_000))).toHaveLength(1000)
    expect(readReason(' too dark ')).toBe('too dark')
  })

  it.each([...NONSENSE, '', ' '])('returns nothing for %j', (value) => {
    expect(readReason(value)).toBeUndefined()
  })
})
