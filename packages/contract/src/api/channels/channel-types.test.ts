import { describe, expect, it } from 'vitest'
import { CHANNEL_TYPE_LIST, channelTypeOf } from './channel-types.ts'

/** Channels store these numbers: append, never remove or reuse one. New types are numbered from 9001. */
const ASSIGNED: readonly number[] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 31, 33, 34, 35, 36,
  37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
]

describe('channel types', () => {
  it('are all types ever assigned, by number', () => {
    expect(CHANNEL_TYPE_LIST.map(({ type }) => type)).toEqual(ASSIGNED)
    expect(channelTypeOf(28)).toBeUndefined()
    expect(channelTypeOf(14)?.name).toBe('Anthropic')
  })

  it('are not offered for new channels if they are legacy', () => {
    expect(CHANNEL_TYPE_LIST.filter(({ legacy, offered }) => legacy && offered)).toEqual([])
    expect(CHANNEL_TYPE_LIST.filter(({ legacy }) => legacy).map(({ type }) => type)).toEqual([
      6, 7, 9, 10, 11, 12, 13, 21, 26,
    ])
  })

  it('have unique names', () => {
    expect(new Set(CHANNEL_TYPE_LIST.map(({ name }) => name)).size).toBe(CHANNEL_TYPE_LIST.length)
  })

  it.each(CHANNEL_TYPE_LIST.filter(({ offered }) => offered).map((type) => [type.name, type] as const))(
    '%s has a base URL, requires one, or derives it from a region',
    (_name, { baseUrl, baseUrlRequired, other, keyHint }) => {
      const isRegional = other === 'region' || keyHint.includes('Region')
      expect(baseUrlRequired || isRegional).toBe(baseUrl === '')
      if (baseUrl !== '') expect(baseUrl).toMatch(/^https?:\/\/[^/]/)
      expect(baseUrl).not.toMatch(/\/$/)
    },
  )
})
