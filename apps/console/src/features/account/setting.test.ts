import { describe, expect, it } from 'vitest'
import { DEFAULT_THRESHOLD, readSetting } from './setting.ts'

const DEFAULTS = {
  notify_type: 'email',
  quota_warning_threshold: DEFAULT_THRESHOLD,
  notification_email: '',
  webhook_url: '',
  webhook_secret_set: false,
  webhook_bearer: false,
  accept_unset_model_ratio_model: false,
  show_ip_in_logs: false,
}

describe('readSetting', () => {
  it.each(['', '{}', 'not json', 'null', '[]', '7', '{"notify_type":"sms","quota_warning_threshold":"lots"}'])(
    'returns the defaults for %j',
    (json) => {
      expect(readSetting(json)).toEqual(DEFAULTS)
    },
  )

  it('returns stored settings', () => {
    const settings = {
      notify_type: 'webhook',
      quota_warning_threshold: 250_000,
      notification_email: 'watch@reef.example',
      webhook_url: 'https://hooks.example/in',
      webhook_secret_set: true,
      webhook_bearer: false,
      accept_unset_model_ratio_model: true,
      show_ip_in_logs: true,
    }

    expect(readSetting(JSON.stringify(settings))).toEqual(settings)
  })

  it('sends a secret from before the setting existed', () => {
    expect(readSetting('{"webhook_secret_set":true}')).toMatchObject({ webhook_bearer: true })
  })
})
