import { describe, expect, it } from 'vitest'
import { readSetting } from '../setting.ts'
import { changesOf, needsCode, valuesOf } from './notification-values.ts'

const setting = readSetting(
  JSON.stringify({
    notify_type: 'webhook',
    quota_warning_threshold: 100_000,
    notification_email: 'watch@reef.example',
    webhook_url: 'https://hooks.example/in',
    webhook_secret_set: true,
  }),
)
const values = valuesOf(setting)

describe('changesOf', () => {
  it('returns nothing for stored values', () => {
    expect(changesOf(values, setting)).toEqual({})
    expect(changesOf({ ...values, webhook_url: ' https://hooks.example/in ' }, setting)).toEqual({})
  })

  it('returns changed fields only', () => {
    expect(changesOf({ ...values, quota_warning_threshold: 500_000 }, setting)).toEqual({
      quota_warning_threshold: 500_000,
    })
    expect(changesOf({ ...values, webhook_secret: 'new' }, setting)).toEqual({ webhook_secret: 'new' })
    expect(changesOf({ ...values, webhook_bearer: false }, setting)).toEqual({ webhook_bearer: false })
  })

  it('ignores fields of the other notification type', () => {
    const edited = { ...values, notification_email: 'new@reef.example', webhook_url: 'https://other.example/' }

    expect(changesOf(edited, setting)).toEqual({ webhook_url: 'https://other.example/' })
    expect(changesOf({ ...edited, notify_type: 'email' }, setting)).toEqual({
      notify_type: 'email',
      notification_email: 'new@reef.example',
    })
  })

  it('adds the code to a new address, and allows a blank address', () => {
    const email = { ...values, notify_type: 'email' as const }

    expect(
      changesOf({ ...email, notification_email: ' New@reef.example ', notification_email_code: ' 123456 ' }, setting),
    ).toEqual({
      notify_type: 'email',
      notification_email: 'New@reef.example',
      notification_email_code: '123456',
    })
    expect(changesOf({ ...email, notification_email: '' }, setting)).toEqual({
      notify_type: 'email',
      notification_email: '',
    })
  })
})

describe('needsCode', () => {
  it.each([
    ['', false],
    ['Mira@reef.example', false],
    [' WATCH@reef.example ', false],
    ['new@reef.example', true],
  ])('returns for %j: %s', (email, isNeeded) => {
    expect(needsCode(email, 'mira@Reef.example', setting)).toBe(isNeeded)
  })
})
