import { describe, expect, it } from 'vitest'
import { bothWays, groupDigits, signed, ungroupDigits } from './quota-words.ts'

describe('quota in words', () => {
  it('is written as money and as it is counted', () => {
    expect(bothWays(1_500_000)).toBe('$3.00 (1,500,000)')
    expect(bothWays(-250_000)).toBe('-$0.50 (-250,000)')
  })

  it('shows which way a change goes', () => {
    expect([signed(2500), signed(0), signed(-2500)]).toEqual(['+2,500', '0', '-2,500'])
  })

  it.each(['', '-', '-500000', '1234567', '12'])('reads %j back as it was typed', (text) => {
    expect(ungroupDigits(groupDigits(text))).toBe(text)
  })

  it('groups digits by three', () => {
    expect([groupDigits(-1234567), groupDigits('123'), groupDigits(undefined)]).toEqual(['-1,234,567', '123', ''])
  })
})
