import { describe, expect, it } from 'vitest'
import { i18n } from '../../lib/i18n.ts'
import { valueWords } from './value-words.ts'

const words = (action: string, name: string, value: unknown) =>
  valueWords(i18n.getFixedT('zh', 'audit'), { action, name, value })

describe('a value in words', () => {
  it('names ranks and states by what they belong to', () => {
    expect(words('user.promote', 'role', 10)).toBe('管理员')
    expect(words('user.disable', 'status', 2)).toBe('已封禁')
    expect(words('channel.update', 'status', 3)).toBe('自动禁用')
    expect(words('option.update', 'status', 2)).toBe('2')
    expect(words('user.promote', 'role', 7)).toBe('7')
  })

  it('writes a balance as money and as it is counted', () => {
    expect(words('user.balance', '', 1_500_000)).toBe('$3.00 (1,500,000)')
    expect(words('user.balance', 'amount', 500_000)).toBe('+$1.00 (500,000)')
    expect(words('user.balance', 'amount', -500_000)).toBe('-$1.00 (-500,000)')
    expect(words('option.update', '', 1_500_000)).toBe('1500000')
  })

  it('tells nothing from blank, and lists and records apart', () => {
    expect(words('user.update', 'email', null)).toBe('–')
    expect(words('user.update', 'group', '')).toBe('（空）')
    expect(words('channel.fix', 'ids', [3, 5])).toBe('3, 5')
    expect(words('option.update', 'x', { a: 1 })).toBe('{\n  "a": 1\n}')
    expect(words('option.update', '', true)).toBe('true')
  })

  it('shows long texts by their beginning', () => {
    expect(words('option.update', '', 'x'.repeat(2001))).toBe(`${'x'.repeat(2000)}… （共 2001 个字符）`)
  })
})
