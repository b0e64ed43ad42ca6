import type { DialectId } from '@tidegate/dialects'
import { describe, expect, it } from 'vitest'
import { chooseChatApi } from '../provider.ts'
import { deepseek } from './deepseek.ts'

function urlFor(dialect: DialectId, { baseUrl = '', setting = {} } = {}) {
  const target = { baseUrl, key: 'k', model: 'm', setting }
  return chooseChatApi(deepseek, { dialect, target })?.url(target, {} as never)
}

describe('DeepSeek', () => {
  it('sends completions to the beta endpoint and chats to the chat endpoint', () => {
    expect(urlFor('openai-completions')).toBe('https://api.deepseek.com/beta/completions')
    expect(urlFor('openai-completions', { baseUrl: 'https://own.example/v1/' })).toBe(
      'https://own.example/beta/completions',
    )
    expect(urlFor('openai-chat')).toBe('https://api.deepseek.com/v1/chat/completions')
    expect(urlFor('anthropic-messages')).toBe('https://api.deepseek.com/v1/chat/completions')
  })

  it('uses the Responses API only if the operator enables it', () => {
    const setting = { openai_api: 'responses' }

    expect(urlFor('openai-responses')).toBe('https://api.deepseek.com/v1/chat/completions')
    expect(urlFor('openai-responses', { setting })).toBe('https://api.deepseek.com/v1/responses')
    expect(urlFor('openai-chat', { setting })).toBe('https://api.deepseek.com/v1/responses')
  })

  it('reads the balance in yuan', () => {
    const { steps, read } = deepseek.balance!

    expect(steps[0]!({ baseUrl: '' }, [], new Date())).toBe('https://api.deepseek.com/user/balance')
    expect(
      read([
        {
          balance_infos: [
            { currency: 'USD', total_balance: '1' },
            { currency: 'CNY', total_balance: '7.5' },
          ],
        },
      ]),
    ).toBe(7.5)
    expect(() => read([{}])).toThrow('no balance')
  })
})
