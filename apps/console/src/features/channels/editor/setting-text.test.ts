import { describe, expect, it } from 'vitest'
import { readSwitches, writeSwitches } from './setting-text.ts'

describe('the switches in the setting of a channel', () => {
  it('are as usual when nothing is written', () => {
    expect(readSwitches('')).toEqual({
      proxy: '',
      force_format: false,
      thinking_to_content: false,
      stream_support: 'DEFAULT',
      openai_api: 'auto',
      unpriced_options: 'remove',
    })
  })

  it('are read from the text, nonsense counting as usual', () => {
    expect(readSwitches('{"proxy": 7, "force_format": true, "stream_support": "NON_STREAM_ONLY"}')).toMatchObject({
      proxy: '',
      force_format: true,
      stream_support: 'NON_STREAM_ONLY',
    })
  })

  it.each(['{', '[]', '"x"'])('cannot be read from %s', (text) => {
    expect(readSwitches(text)).toBeNull()
  })

  it('are written into the text beside what else it holds', () => {
    const text = writeSwitches('{"own": 1}', { proxy: 'socks5://127.0.0.1:1080' })

    expect(JSON.parse(text)).toEqual({ own: 1, proxy: 'socks5://127.0.0.1:1080' })
  })

  it('vanish from the text when they are as usual, and the text with the last of them', () => {
    expect(writeSwitches('{"force_format": true}', { force_format: false })).toBe('')
    expect(writeSwitches('{"openai_api": "chat", "own": 1}', { openai_api: 'auto' })).toBe('{\n  "own": 1\n}')
  })
})
