import { describe, expect, it } from 'vitest'
import { defaultOptionText, OPTION_KEYS, OPTIONS, optionDefinition, publicOptionRows, readSettings } from './index.ts'

describe('readSettings', () => {
  it('gives every default when nothing is stored', () => {
    const settings = readSettings(new Map())

    for (const key of OPTION_KEYS) expect(settings[key], key).toEqual(optionDefinition(key).default)
  })

  it('reads what is stored over the defaults, and ignores keys it does not know', () => {
    const stored = new Map([
      ['QuotaPerUnit', '1000'],
      ['GroupRatio', '{"vip":0.5}'],
      ['FileUploadPermission', '10'],
    ])

    const settings = readSettings(stored)

    expect(settings.QuotaPerUnit).toBe(1000)
    expect(settings.GroupRatio).toEqual({ vip: 0.5 })
    expect(settings).not.toHaveProperty('FileUploadPermission')
  })

  it('keeps the default of a stored text that is broken, and reports it', () => {
    const reported: string[] = []

    const settings = readSettings(
      new Map([
        ['ModelRatio', '{"gpt-4o":'],
        ['RetryTimes', 'many'],
        ['AffEnabled', 'false'],
      ]),
      (key) => reported.push(key),
    )

    expect(settings.ModelRatio).toBe(OPTIONS.ModelRatio.default)
    expect(settings.RetryTimes).toBe(2)
    expect(settings.AffEnabled).toBe(false)
    expect(reported.toSorted()).toEqual(['ModelRatio', 'RetryTimes'])
  })
})

describe('publicOptionRows', () => {
  it('shows every option that is not secret as text, in the order of the registry', () => {
    const rows = publicOptionRows(readSettings(new Map()))

    expect(rows.map(({ key }) => key)).toEqual(OPTION_KEYS.filter((key) => !optionDefinition(key).secret))
    for (const { key, value } of rows) expect(value, key).toBe(defaultOptionText(key))
  })

  it('never shows a secret, and does show the public key of the human check', () => {
    const settings = readSettings(
      new Map([
        ['oidc.client_secret', 'hidden-1'],
        ['SMTPToken', 'hidden-2'],
        ['TurnstileSiteKey', 'site'],
      ]),
    )

    const rows = publicOptionRows(settings)

    expect(JSON.stringify(rows)).not.toContain('hidden')
    expect(rows).toContainEqual({ key: 'TurnstileSiteKey', value: 'site' })
  })
})
