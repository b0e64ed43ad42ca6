import type { api } from '@tidegate/contract'
import { expect, it } from 'vitest'
import { describePlan } from './config.ts'

const change = (field: string, before: string | null, after: string | null, secret = false): api.ConfigChange => ({
  field,
  before,
  after,
  secret,
})

it('lists a plan field by field, shortens long values and hides secrets', () => {
  const items: api.ConfigItem[] = [
    { kind: 'option', name: 'Footer', action: 'update', changes: [change('', '', 'two\nlines "quoted"')] },
    { kind: 'option', name: 'About', action: 'update', changes: [change('', 'x', 'y'.repeat(200))] },
    { kind: 'option', name: 'SMTPToken', action: 'update', changes: [change('', null, null, true)] },
    { kind: 'models', name: '', action: 'update', changes: [change('fast', 'o1 (0)', null)] },
    { kind: 'channel', name: 'har\u001b[31mbour', action: 'create', changes: [change('weight', null, '3')] },
    { kind: 'channel', name: 'old', action: 'delete', changes: [] },
    { kind: 'option', name: 'Notice', action: 'unchanged', changes: [] },
  ]

  expect(describePlan({ version: 1, items }).split('\n')).toEqual([
    '~ option Footer',
    '    (empty) → two\\nlines "quoted"',
    '~ option About',
    `    x → ${'y'.repeat(160)}… (200 characters)`,
    '~ option SMTPToken',
    '    (secret) changes',
    '~ models',
    '    fast: o1 (0) → (removed)',
    '+ channel har\\u001b[31mbour',
    '    weight: 3',
    '- channel old',
    '',
    '1 to create, 4 to change, 1 to remove, 1 unchanged.',
  ])
})

it('reports that nothing would change', () => {
  expect(describePlan({ version: 1, items: [] })).toBe('0 to create, 0 to change, 0 to remove, 0 unchanged.')
})
