import { LOG_TYPE } from '@tidegate/contract/api'
import { describe, expect, it } from 'vitest'
import { i18n } from '../../lib/i18n.ts'
import type { Language } from '../../lib/languages.ts'
import { aLog } from '../../../test/sample-log.ts'
import { rowText } from './event-text.ts'

const words = (language: Language, type: keyof typeof LOG_TYPE, other: object, content = '') =>
  rowText(aLog(other, { type: LOG_TYPE[type], content }), i18n.getFixedT(language, 'logs'))

describe('what a row of the log says', () => {
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
  ] as const)('tells a %s by its facts', (type, other, sentence) => {
    expect(words('zh', type, other, 'whatever was written')).toBe(sentence)
  })

  it('speaks the language of the reader', () => {
    const refund = { event: 'task_refund', amount: 50_000, task: 'drawing:5' }

    expect(words('en', 'system', refund)).toBe('Task drawing:5 failed, $0.10 refunded')
    expect(words('zh', 'system', refund)).toBe('任务 drawing:5 失败，退回 $0.10')
  })

  it('names what an administrator did, with the title of a message', () => {
    expect(words('zh', 'admin', { event: 'message_create' }, 'Message sent to users: Hello: world')).toBe(
      '向用户发送消息：Hello: world',
    )
    expect(words('zh', 'admin', { event: 'user_disable' }, 'Account banned by an administrator')).toBe(
      '管理员封禁了账号',
    )
    expect(words('en', 'system', { event: 'service_bound', service: 'github' }, 'Sign-in through github bound')).toBe(
      'Sign-in service linked: github',
    )
  })

  it('falls back on the words it was written with', () => {
    expect(words('zh', 'system', { event: 'spring_tide', amount: 5 }, 'The tide came in.')).toBe('The tide came in.')
    expect(words('zh', 'topUp', { event: 'top_up' }, 'Top-up')).toBe('Top-up')
  })

  it('is what made the price of a call, with what should be known at once', () => {
    const other = { model_ratio: 1.25, completion_ratio: 4, group_ratio: 0.5, estimated: true }

    expect(words('en', 'consumption', other)).toBe('estimated usage · model × 1.25 · output × 4 · group × 0.5')
    expect(words('zh', 'consumption', { model_price: 0.02, group_ratio: 1 })).toBe('按次 $0.02 · 分组 × 1')
  })

  it('is the codes and the message of an error', () => {
    expect(words('en', 'error', { status_code: 429, error_code: 'rate_limited' }, 'Slow down.')).toBe(
      '429 · rate_limited · Slow down.',
    )
  })
})
