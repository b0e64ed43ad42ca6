import { describe, expect, it } from 'vitest'
import { toPage, pageOf, pageQuery } from './paging.ts'
import { z } from 'zod'

describe('pageQuery counted from 0', () => {
  const query = pageQuery({ base: 0 })

  it.each([
    ['no parameters', {}, { page: 1, limit: 10, offset: 0 }],
    ['the first page', { p: '0' }, { page: 1, limit: 10, offset: 0 }],
    ['the second page', { p: '1' }, { page: 2, limit: 10, offset: 10 }],
    ['a number instead of text', { p: 2, page_size: 20 }, { page: 3, limit: 20, offset: 40 }],
  ])('reads %s', (_case, input, expected) => {
    expect(query.parse(input)).toEqual(expected)
  })
})

describe('pageQuery counted from 1', () => {
  const query = pageQuery({ base: 1 })

  it.each([
    ['no parameters', {}, { page: 1, limit: 10, offset: 0 }],
    ['0 as the first page', { p: '0' }, { page: 1, limit: 10, offset: 0 }],
    ['the first page', { p: '1' }, { page: 1, limit: 10, offset: 0 }],
    ['the second page', { p: '2', page_size: '50' }, { page: 2, limit: 50, offset: 50 }],
  ])('reads %s', (_case, input, expected) => {
    expect(query.parse(input)).toEqual(expected)
  })
})

describe('pageQuery with invalid input', () => {
  it.each(['', ' ', 'x', '1.5', '-3', '0x10', '1e2', 'NaN', '99999999999999999999', ['1', '2'], {}, null, true])(
    'takes %j as the first page of default size',
    (garbage) => {
      expect(pageQuery({ base: 1 }).parse({ p: garbage, page_size: garbage })).toEqual({
        page: 1,
        limit: 10,
        offset: 0,
      })
    },
  )

  it('limits the size', () => {
    expect(pageQuery({ base: 0 }).parse({ page_size: '5000' }).limit).toBe(100)
    expect(pageQuery({ base: 0, maxSize: 20 }).parse({ page_size: '21' }).limit).toBe(20)
  })

  it('uses the default size for zero', () => {
    expect(pageQuery({ base: 0, defaultSize: 30 }).parse({ page_size: '0' }).limit).toBe(30)
  })

  it('keeps the offset a safe integer for huge pages', () => {
    const { offset } = pageQuery({ base: 0 }).parse({ p: String(Number.MAX_SAFE_INTEGER), page_size: '100' })

    expect(Number.isSafeInteger(offset)).toBe(true)
  })

  it('reads the size by the name of the endpoint', () => {
    expect(pageQuery({ base: 0, sizeName: 'size' }).parse({ size: '25', page_size: '50' }).limit).toBe(25)
  })
})

describe('toPage', () => {
  it('returns a 1-based page number for every base', () => {
    const query = pageQuery({ base: 0 }).parse({ p: '1', page_size: '2' })

    const page = toPage(['c', 'd'], 5, query)

    expect(page).toEqual({ items: ['c', 'd'], total: 5, page: 2, page_size: 2 })
    expect(pageOf(z.string()).parse(page)).toEqual(page)
  })
})
