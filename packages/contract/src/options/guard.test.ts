import { describe, expect, it } from 'vitest'
import { guardOption, enabledSignIns, readSettings, type OptionKey, type Settings } from './index.ts'

const NEEDS = [
  ['GitHubOAuthEnabled', { ServerAddress: 'https://gate.example', GitHubClientId: 'id', GitHubClientSecret: 'secret' }],
  [
    'oidc.enabled',
    {
      ServerAddress: 'https://gate.example',
      'oidc.client_id': 'id',
      'oidc.client_secret': 'secret',
      'oidc.authorization_endpoint': 'https://id.example/authorize',
      'oidc.token_endpoint': 'https://id.example/token',
      'oidc.user_info_endpoint': 'https://id.example/me',
    },
  ],
  [
    'LinuxDOOAuthEnabled',
    { ServerAddress: 'https://gate.example', LinuxDOClientId: 'id', LinuxDOClientSecret: 'secret' },
  ],
  ['WeChatAuthEnabled', { WeChatServerAddress: 'https://wechat.example', WeChatServerToken: 'token' }],
  ['TelegramOAuthEnabled', { ServerAddress: 'https://gate.example', TelegramBotToken: 'token' }],
  ['TurnstileCheckEnabled', { TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret' }],
  ['EmailVerificationEnabled', { ServerAddress: 'https://gate.example' }],
  ['EmailDomainRestrictionEnabled', { EmailDomainWhitelist: 'example.com' }],
] as const satisfies [OptionKey, Partial<Record<OptionKey, string>>][]

describe.each(NEEDS)('%s', (user, filled) => {
  const needed = Object.keys(filled) as OptionKey[]

  it('can be turned on when its prerequisites are set', () => {
    expect(guardOption(settingsWith(filled), user, true)).toBeUndefined()
  })

  it.each(needed.map((key) => [key]))('cannot be turned on without %s', (key) => {
    const objection = guardOption(settingsWith({ ...filled, [key]: '' }), user, true)

    expect(objection).toEqual({ code: 'option_guard_needs', details: { key: user, missing: key } })
  })

  it.each(needed.map((key) => [key]))('keeps %s from being cleared while it is on', (key) => {
    const settings = settingsWith({ ...filled, [user]: 'true' })

    expect(guardOption(settings, key, blankOf(settings, key))).toEqual({
      code: 'option_guard_in_use',
      details: { key, user },
    })
    expect(guardOption(settingsWith(filled), key, blankOf(settings, key))).toBeUndefined()
  })

  it('can be turned off', () => {
    expect(guardOption(settingsWith({ ...filled, [user]: 'true' }), user, false)).toBeUndefined()
  })
})

describe('a switch that is on without its prerequisites', () => {
  it('allows the missing options to be set one by one', () => {
    expect(guardOption(settingsWith({ GitHubOAuthEnabled: 'true' }), 'GitHubClientId', 'id')).toBeUndefined()
  })
})

describe('the two modes', () => {
  it('cannot both be on', () => {
    const objection = { code: 'option_guard_modes_exclusive', details: {} }

    expect(guardOption(settingsWith({ SelfUseModeEnabled: 'true' }), 'DemoSiteEnabled', true)).toEqual(objection)
    expect(guardOption(settingsWith({ DemoSiteEnabled: 'true' }), 'SelfUseModeEnabled', true)).toEqual(objection)
  })

  it('can be on alone, and can be turned off when both are on', () => {
    expect(guardOption(settingsWith({}), 'DemoSiteEnabled', true)).toBeUndefined()
    expect(
      guardOption(settingsWith({ DemoSiteEnabled: 'true', SelfUseModeEnabled: 'true' }), 'DemoSiteEnabled', false),
    ).toBeUndefined()
  })
})

describe('fallback pricing', () => {
  const ratios = { fallback_input_ratio: '2', fallback_completion_ratio: '3' }
  const single = { fallback_single_price: '0.02' }

  it('can be turned on with the single price, or with both ratios', () => {
    expect(guardOption(settingsWith(single), 'fallback_pricing_enabled', true)).toBeUndefined()
    expect(guardOption(settingsWith(ratios), 'fallback_pricing_enabled', true)).toBeUndefined()
  })

  it.each([
    ['nothing', {}],
    ['one ratio', { fallback_input_ratio: '2' }],
    ['a price of zero', { fallback_single_price: '0' }],
  ])('cannot be turned on with %s', (_case, stored) => {
    expect(guardOption(settingsWith(stored), 'fallback_pricing_enabled', true)?.code).toBe(
      'option_guard_fallback_incomplete',
    )
  })

  it('rejects a price together with a ratio, on or off', () => {
    expect(guardOption(settingsWith(single), 'fallback_input_ratio', 2)?.code).toBe('option_guard_fallback_mixed')
    expect(guardOption(settingsWith(ratios), 'fallback_single_price', 0.02)?.code).toBe('option_guard_fallback_mixed')
    expect(guardOption(settingsWith({ ...single, ...ratios }), 'fallback_pricing_enabled', true)?.code).toBe(
      'option_guard_fallback_mixed',
    )
  })

  it('allows values to be set and cleared one by one while it is off', () => {
    expect(guardOption(settingsWith({}), 'fallback_input_ratio', 2)).toBeUndefined()
    expect(guardOption(settingsWith({ ...single, ...ratios }), 'fallback_single_price', undefined)).toBeUndefined()
  })

  it('rejects incomplete values while it is on', () => {
    const on = { fallback_pricing_enabled: 'true' }

    expect(guardOption(settingsWith({ ...on, ...ratios }), 'fallback_input_ratio', undefined)?.code).toBe(
      'option_guard_fallback_incomplete',
    )
    expect(guardOption(settingsWith({ ...on, ...ratios }), 'fallback_input_ratio', 4)).toBeUndefined()
    expect(guardOption(settingsWith({ ...on, ...single }), 'fallback_pricing_enabled', false)).toBeUndefined()
  })
})

describe('ways to sign in', () => {
  const github = { GitHubOAuthEnabled: 'true', GitHubClientId: 'id', GitHubClientSecret: 'secret' }

  it('rejects disabling the last one', () => {
    const objection = { code: 'option_guard_last_sign_in', details: { key: 'PasswordLoginEnabled' } }

    expect(guardOption(settingsWith({}), 'PasswordLoginEnabled', false)).toEqual(objection)
    expect(guardOption(settingsWith(github), 'PasswordLoginEnabled', false)).toBeUndefined()
    expect(
      guardOption(settingsWith({ ...github, PasswordLoginEnabled: 'false' }), 'GitHubOAuthEnabled', false)?.code,
    ).toBe('option_guard_last_sign_in')
  })

  it('lists enabled services', () => {
    expect(enabledSignIns(settingsWith({}))).toEqual([])
    expect(enabledSignIns(settingsWith({ ...github, 'oidc.enabled': 'true' }))).toEqual(['github', 'oidc'])
  })
})

describe('the mail server', () => {
  it('needs the server address for links in mails', () => {
    const needs = { code: 'option_guard_needs', details: { key: 'SMTPServer', missing: 'ServerAddress' } }
    const mail = { ServerAddress: 'https://gate.example', SMTPServer: 'smtp.example' }

    expect(guardOption(settingsWith({}), 'SMTPServer', 'smtp.example')).toEqual(needs)
    expect(guardOption(settingsWith(mail), 'SMTPServer', 'other.example')).toBeUndefined()
    expect(guardOption(settingsWith(mail), 'ServerAddress', '')?.code).toBe('option_guard_in_use')
    expect(guardOption(settingsWith({ SMTPServer: 'smtp.example' }), 'SMTPServer', '')).toBeUndefined()
  })
})

describe('an option nothing depends on', () => {
  it('is always accepted', () => {
    expect(guardOption(settingsWith({}), 'SystemName', 'Harbour')).toBeUndefined()
    expect(guardOption(settingsWith({}), 'SMTPServer', '')).toBeUndefined()
  })
})

function settingsWith(stored: Partial<Record<OptionKey, string>>): Settings {
  return readSettings(new Map(Object.entries(stored)), (key, error) => {
    throw new Error(`the text of ${key} is broken`, { cause: error })
  })
}

function blankOf<Key extends OptionKey>(settings: Settings, key: Key): Settings[Key] {
  return (Array.isArray(settings[key]) ? [] : '') as Settings[Key]
}
