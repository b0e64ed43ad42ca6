import { describe, expect, it } from 'vitest'
import { validateOption } from './validate-option.ts'
import { aField } from '../../../../test/settings-screen.tsx'

describe('a number', () => {
  const share = aField('RebatePercentage', { kind: 'number', default: '0', min: 0, max: 100 })
  const retries = aField('RetryTimes', { kind: 'integer', default: '0', min: 0 })
  const gift = aField('QuotaForNewUser', { kind: 'integer', default: '0', min: 0, max: 9e15 })
  const unit = aField('QuotaPerUnit', { kind: 'number', default: '500000', above: 0 })
  const price = aField('fallback_single_price', { kind: 'number', default: '', min: 0 })

  it.each([
    [share, 100, null],
    [share, 100.5, 'range'],
    [{ ...share, message: 'rebate' } as const, -1, 'rebate'],
    [retries, 1.5, 'integer'],
    [retries, -1, 'min'],
    [retries, null, 'number'],
    [gift, -1, 'min'],
    [gift, 9.007e15, 'max'],
    [unit, 0, 'above'],
    [unit, 'abc', 'number'],
    [price, null, null],
  ])('%# is validated against its limits', (field, value, message) => {
    expect(validateOption(field, value)?.message ?? null).toBe(message)
  })
})

describe('JSON', () => {
  const map = aField('GroupRatio', { kind: 'json' })
  const list = { ...aField('Chats', { kind: 'json' }), isList: true } as const

  it.each([
    [map, '{"default": 1}', null],
    [map, '', null],
    [map, '[1]', 'json'],
    [map, '{"default": 1', 'json'],
    [list, '[{"a":"https://a.example"}]', null],
    [list, '{}', 'json'],
  ])('%# is an object or a list', (field, text, message) => {
    expect(validateOption(field, text)?.message ?? null).toBe(message)
  })
})

describe('a URL', () => {
  const base = aField('ServerAddress', { kind: 'url' })
  const link = { ...aField('TopUpLink', { kind: 'url' }), takesPath: true } as const
  const image = { ...aField('Logo', { kind: 'url' }), isImage: true } as const

  it.each([
    [base, 'https://gate.example/', null],
    [base, '', null],
    [base, 'gate.example', 'url'],
    [base, '/logo.png', 'url'],
    [link, '/logo.png', null],
    [image, '/logo.png', null],
    [image, 'https://gate.example/logo.png', null],
    [image, 'http://gate.example/logo.png', 'image'],
    [link, '//elsewhere.example', 'link'],
    [link, 'javascript:alert(1)', 'link'],
  ])('%# is a web address', (field, text, message) => {
    expect(validateOption(field, text)?.message ?? null).toBe(message)
  })
})

it('validates each entry of a list', () => {
  const pattern = { expression: /^[1-5x][\dx]{2}$/, message: 'statuses' } as const
  const field = { ...aField('global.auto_retry_status_codes', { kind: 'list' }), pattern }

  expect(validateOption(field, ['5xx', '429'])).toBeNull()
  expect(validateOption(field, ['5xx', 'often'])).toEqual({ message: 'statuses' })
})
