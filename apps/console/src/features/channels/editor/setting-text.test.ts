import { describe, expect, it } from 'vitest'
import { readSwitches, writeSwitches } from './setting-text.ts'

describe('the switches in the setting of a channel', () => {
  it('have defaults for a blank text', () => {
    expect(readSwitches('')).toEqual({
      proxy: '',
      force_format: false,
      thinking_to_content: false,
      stream_support: 'DEFAULT',
      openai_api: 'auto',
      unpriced_options: 'remove',
      batch_api: 'auto',
    })
  })

  it('are read from the text, with defaults for invalid values', () => {
    const text = '{"proxy": 7, "force_format": true, "stream_support": "NON_STREAM_ONLY", "batch_api": "always"}'
    expect(readSwitches(text)).toMatchObject({
      proxy: '',
      batch_api: 'always',
      force_format: true,
      stream_support: 'NON_STREAM_ONLY',
    })
  })

  it.each(['{', '[]', '"x"'])('are null for the invalid text %s', (text) => {
    expect(readSwitches(text)).toBeNull()
  })

  it('are added to the text, which keeps other settings', () => {
    const text = writeSwitches('{"own": 1}', { proxy: 'socks5://127.0.0.1:1080' })

    expect(JSON.parse(text)).toEqual({ own: 1, proxy: 'socks5://127.0.0.1:1080' })
  })

  it('are removed from the text when they have their defaults; an empty object becomes blank', () => {
    expect(writeSwitches('{"force_format": true}', { force_format: false })).toBe('')
    expect(writeSwitches('{"openai_api": "chat", "own": 1}', { openai_api: 'auto' })).toBe('{\n  "own": 1\n}')
  })
})
