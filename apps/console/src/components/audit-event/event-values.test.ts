import { describe, expect, it } from 'vitest'
import { i18n } from '../../lib/i18n.ts'
import { linesOf, readDetails, summaryOf, valueText } from './event-values.ts'

describe('the details of an event', () => {
  it('list changed fields and omit unchanged ones', () => {
    const details = { before: { role: 1, status: 1 }, after: { role: 10, status: 1 } }

    expect(readDetails(details)).toEqual({ changes: [{ path: ['role'], before: 1, after: 10 }], facts: [] })
  })

  it('have a change without a path if the subject is the value, and list other values separately', () => {
    expect(readDetails({ before: 700, after: 1200, amount: 500, seen: null })).toEqual({
      changes: [{ path: [], before: 700, after: 1200 }],
      facts: [{ name: 'amount', value: 500 }],
    })
  })

  it('list changed entries of JSON options, at any depth', () => {
    const before = '{"vip":{"gpt-3.5":1,"gpt-4o":2},"old":3}'
    const after = '{"vip":{"gpt-3.5":1,"gpt-4o":2.5},"new":4}'

    expect(readDetails({ before, after }).changes).toEqual([
      { path: ['vip', 'gpt-4o'], before: 2, after: 2.5 },
      { path: ['old'], before: 3, after: undefined },
      { path: ['new'], before: undefined, after: 4 },
    ])
  })

  it('list changed targets of virtual models one by one', () => {
    const before = '{"mapping":{"fast":[{"model":"gpt-4o","priorities":5},{"model":"o3","priorities":0}]}}'
    const after = '{"mapping":{"fast":[{"model":"gpt-4o","priorities":9}],"new":[{"model":"o3","priorities":1}]}}'

    expect(readDetails({ before, after }).changes).toEqual([
      { path: ['fast', 'gpt-4o', 'priority'], before: 5, after: 9 },
      { path: ['fast', 'o3', 'priority'], before: 0, after: undefined },
      { path: ['new', 'o3', 'priority'], before: undefined, after: 1 },
    ])
  })

  it('list all fields of a created object', () => {
    expect(readDetails({ after: { username: 'mira', display_name: 'Mira' } }).changes).toEqual([
      { path: ['username'], before: undefined, after: 'mira' },
      { path: ['display_name'], before: undefined, after: 'Mira' },
    ])
  })

  it('can contain a pair of values for one field', () => {
    expect(readDetails({ fields: ['status'], status: { before: 1, after: 2 } })).toEqual({
      changes: [{ path: ['status'], before: 1, after: 2 }],
      facts: [{ name: 'fields', value: ['status'] }],
    })
  })

  it('keep whole values that are lists, invalid JSON or of different types', () => {
    expect(readDetails({ before: ['a'], after: ['a', 'b'] }).changes).toEqual([
      { path: [], before: ['a'], after: ['a', 'b'] },
    ])
    expect(readDetails({ before: '{broken', after: '{"a":1}' }).changes).toEqual([
      { path: [], before: '{broken', after: { a: 1 } },
    ])
  })

  it('can be empty, and can contain names of built-in properties', () => {
    expect(readDetails({})).toEqual({ changes: [], facts: [] })
    expect(readDetails({ before: '{}', after: '{"toString":1}' }).changes).toEqual([
      { path: ['toString'], before: undefined, after: 1 },
    ])
  })
})

const text = (action: string, name: string, value: unknown) =>
  valueText(i18n.getFixedT('zh', 'audit'), { action, name, value })

describe('the summary of an event', () => {
  const summary = (action: string, details: Record<string, unknown>) =>
    summaryOf(i18n.getFixedT('zh', 'audit'), { action, details })

  it('says in words what changed', () => {
    expect(summary('channel.update', { before: { priority: 0 }, after: { priority: 10 } })).toBe('优先级由“0”改为“10”')
    expect(summary('channel.update', { before: { tag: '' }, after: { tag: 'cn' } })).toBe('标签改为“cn”')
    expect(summary('user.create', { after: { username: 'mira' } })).toBe('用户名：mira')
    expect(summary('user.update', { before: { group: 'vip' }, after: {} })).toBe('移除分组：vip')
  })

  it('starts with the name of what was created, and leaves out blank values', () => {
    expect(summary('token.create', { group: '', unlimited_quota: false, name: 'laptop' })).toBe('名称：laptop')
    const message = { group: '', format: 'html', target: 'all', title: 'High tide' }
    expect(summary('message.create', message)).toMatch(/^标题：High tide/)
  })

  it('shows the most important of many changes, and the number of the others', () => {
    const before = { title: 'Tide', format: 'html', state: 'scheduled', delivered: 0 }
    const after = { title: 'High tide', format: 'markdown', state: 'sending', delivered: 3 }

    expect(summary('message.update', { before, after })).toBe('状态改为“发送中”，另有 3 项')
  })

  it('shows other values if nothing changed, and cuts long ones', () => {
    expect(summary('channel.fix', { ids: [3, 5] })).toMatch(/：3, 5$/)
    expect(summary('user.login', { method: 'password' })).toBe('方式：密码')
    expect(summary('channel.update', { fields: ['priority', 'unknown'] })).toBe('改动的字段：优先级, unknown')
    expect(summary('option.update', { after: 'x'.repeat(50) })).toMatch(/x{40}…$/)
    expect(summary('user.login', {})).toBe('')
  })
})

describe('the text of a value', () => {
  it('names roles and statuses by the kind of object', () => {
    expect(text('user.promote', 'role', 10)).toBe('管理员')
    expect(text('user.disable', 'status', 2)).toBe('已封禁')
    expect(text('channel.update', 'status', 3)).toBe('自动禁用')
    expect(text('option.update', 'status', 2)).toBe('2')
    expect(text('user.promote', 'role', 7)).toBe('7')
  })

  it('shows a balance as money and as quota', () => {
    expect(text('user.balance', '', 1_500_000)).toBe('$3.00 (1,500,000)')
    expect(text('user.balance', 'amount', 500_000)).toBe('+$1.00 (500,000)')
    expect(text('user.balance', 'amount', -500_000)).toBe('-$1.00 (-500,000)')
    expect(text('option.update', '', 1_500_000)).toBe('1500000')
  })

  it('names values with a fixed meaning, except in options', () => {
    expect(text('message.create', 'state', 'sent')).toBe('已发送')
    expect(text('redemption.create', 'is_gift', false)).toBe('否')
    expect(text('redemption.update', 'valid_until', 0)).toBe('–')
    expect(text('option.update', 'state', 'sent')).toBe('sent')
  })

  it('distinguishes null, blank texts, lists and records', () => {
    expect(text('user.update', 'email', null)).toBe('–')
    expect(text('user.update', 'group', '')).toBe('（空）')
    expect(text('channel.fix', 'ids', [3, 5])).toBe('3, 5')
    expect(text('option.update', 'x', { a: 1 })).toBe('{\n  "a": 1\n}')
    expect(text('option.update', '', true)).toBe('true')
  })

  it('cuts long texts', () => {
    expect(text('option.update', '', 'x'.repeat(2001))).toBe(`${'x'.repeat(2000)}… （共 2001 个字符）`)
  })
})

describe('the lines of an event', () => {
  const t = i18n.getFixedT(null, 'audit')

  it('name stored fields and providers like the form', async () => {
    await i18n.loadNamespaces('channels')
    const details = {
      fields: ['model_mapping', 'openai_organization', 'other'],
      type: 17,
      status: { before: 1, after: 2 },
    }

    expect(linesOf(t, { action: 'channel.update', details })).toEqual([
      '状态由“已启用”改为“已禁用”',
      '改动的字段：模型映射, 组织, 供应商参数',
      '类型：阿里云百炼',
    ])
  })
})
