import { LOG_TYPE } from '@tidegate/contract/api'
import { describe, expect, it } from 'vitest'
import { i18n } from '../../lib/i18n.ts'
import type { Language } from '../../lib/languages.ts'
import { aLog } from '../../../test/sample-log.ts'
import { rowText } from './event-text.ts'

const textOf = (language: Language, type: keyof typeof LOG_TYPE, other: object, content = '') =>
  rowText(aLog(other, { type: LOG_TYPE[type], content }), i18n.getFixedT(language, 'logs'))

describe('rowText', () => {
  it.each([
    ['topUp', { event: 'redemption_code', amount: 500_000, redemption_id: 12 }, '使用兑换码 #12，到账 $1.00'],
    ['topUp', { event: 'top_up', amount: 500_000, money: '7.30' }, '在线充值 $1.00，实付 7.30'],
    [
      'admin',
      { event: 'balance_changed', amount: -250_000, before: 500_000, after: 250_000 },
      '管理员调整余额：$1.00 → $0.50（-$0.50）',
    ],
    [
      'system',
      { event: 'rebate_received', amount: 5000, source: 'top_up', percentage: 1 },
      '收到受邀用户充值的返利 $0.01（1%）',
    ],
    ['checkIn', { event: 'check_in', amount: 50_000 }, '每日签到，获得 $0.10'],
  ] as const)('writes the text of a %s row from its stored fields', (type, other, sentence) => {
    expect(textOf('zh', type, other, 'whatever was written')).toBe(sentence)
  })

  it('uses the language of the page', () => {
    const refund = { event: 'task_refund', amount: 50_000, task: 'drawing:5' }

    expect(textOf('en', 'system', refund)).toBe('Task drawing:5 failed, $0.10 refunded')
    expect(textOf('zh', 'system', refund)).toBe('任务 drawing:5 失败，退回 $0.10')
  })

  it('names the action of an administrator, with the title of a message', () => {
    expect(textOf('zh', 'admin', { event: 'message_create' }, 'Message sent to users: Hello: world')).toBe(
      '向用户发送消息：Hello: world',
    )
    expect(textOf('zh', 'admin', { event: 'user_disable' }, 'Account banned by an administrator')).toBe(
      '管理员封禁了账号',
    )
    expect(textOf('en', 'system', { event: 'service_bound', service: 'github' }, 'Sign-in through github bound')).toBe(
      'Sign-in service linked: github',
    )
  })

  it('falls back to the stored text', () => {
    expect(textOf('zh', 'system', { event: 'spring_tide', amount: 5 }, 'The tide came in.')).toBe('The tide came in.')
    expect(textOf('zh', 'topUp', { event: 'top_up' }, 'Top-up')).toBe('Top-up')
  })

  it('lists remarks and price factors of a request', () => {
    const other = { model_ratio: 1.25, completion_ratio: 4, group_ratio: 0.5, estimated: true }

    expect(textOf('en', 'consumption', other)).toBe('estimated usage · model × 1.25 · output × 4 · group × 0.5')
    expect(textOf('zh', 'consumption', { model_price: 0.02, group_ratio: 1 })).toBe('按次 $0.02 · 分组 × 1')
  })

  it('joins the codes and the message of an error', () => {
    expect(textOf('en', 'error', { status_code: 429, error_code: 'rate_limited' }, 'Slow down.')).toBe(
      '429 · rate_limited · Slow down.',
    )
  })
})
