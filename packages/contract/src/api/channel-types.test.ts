import { describe, expect, it } from 'vitest'
import { CHANNEL_TYPE_LIST, channelTypeOf } from './channel-types.ts'

describe('the types of channels', () => {
  it('are those that were ever assigned, by their numbers', () => {
    const types = CHANNEL_TYPE_LIST.map(({ type }) => type)
    const unassigned = new Set([28, 29, 30, 32])

    expect(types).toEqual(Array.from({ length: 49 }, (_, index) => index + 1).filter((type) => !unassigned.has(type)))
    expect(channelTypeOf(28)).toBeUndefined()
    expect(channelTypeOf(14)?.name).toBe('Anthropic')
  })

  it('are not offered for new channels when they are of the past', () => {
    expect(CHANNEL_TYPE_LIST.filter(({ legacy, offered }) => legacy && offered)).toEqual([])
    expect(CHANNEL_TYPE_LIST.filter(({ legacy }) => legacy).map(({ type }) => type)).toEqual([
      6, 7, 9, 10, 11, 12, 13, 21, 26,
    ])
  })

  it('have names of their own', () => {
    expect(new Set(CHANNEL_TYPE_LIST.map(({ name }) => name)).size).toBe(CHANNEL_TYPE_LIST.length)
  })

  it.each(CHANNEL_TYPE_LIST.filter(({ offered }) => offered).map((type) => [type.name, type] as const))(
    '%s has an address, or asks for one, or is found by its region',
    (_name, { baseUrl, baseUrlRequired, other, keyHint }) => {
      const isRegional = other === 'region' || keyHint.includes('Region')
      expect(baseUrlRequired || isRegional).toBe(baseUrl === '')
      if (baseUrl !== '') expect(baseUrl).toMatch(/^https?:\/\/[^/]/)
      expect(baseUrl).not.toMatch(/\/$/)
    },
  )
})
