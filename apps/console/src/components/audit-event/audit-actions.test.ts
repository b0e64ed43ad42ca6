import { describe, expect, it } from 'vitest'
import { subjectOf } from './audit-actions.ts'

describe('the subject of an event', () => {
  it.each([
    ['user.promote', '7', { kind: 'user', path: '/admin/users?keyword=7' }],
    ['channel.update', '3', { kind: 'channel', path: '/admin/channels?keyword=3' }],
    ['channel.tag_enable', '12', { kind: 'tag', path: null }],
    ['token.update', '8', { kind: 'token', path: null }],
    ['redemption.create', 'spring gift', { kind: 'other', path: null }],
    ['option.update', 'ModelRatio', { kind: 'option', path: null }],
    ['top_up.complete', 'TN-20260228', { kind: 'topUp', path: null }],
    ['user.login', 'mira', { kind: 'other', path: null }],
    ['tide.turn', '9', { kind: 'other', path: null }],
  ])('of %s with the subject %s', (action, subject, expected) => {
    expect(subjectOf({ action, subject })).toEqual(expected)
  })
})
