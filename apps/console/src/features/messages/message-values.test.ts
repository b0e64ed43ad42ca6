import type { Message } from '@tidegate/contract/api'
import dayjs from 'dayjs'
import { describe, expect, it } from 'vitest'
import { aMessage } from '../../../test/sample-message.ts'
import { BLANK, editOf, newMessage, valuesOf } from './message-values.ts'

const WRITTEN = { ...BLANK, title: '  High tide ', content: '\nAt **nine**.\n' }
const TEXT = { title: 'High tide', content: 'At **nine**.', format: 'markdown' }

describe('a new message', () => {
  it('is trimmed and has exactly one kind of recipients', () => {
    const chosen = { user_ids: [3, 5], group: 'vip' }

    expect(newMessage({ ...WRITTEN, ...chosen, target: 'users' })).toEqual({ ...TEXT, user_ids: [3, 5] })
    expect(newMessage({ ...WRITTEN, ...chosen, target: 'group' })).toEqual({ ...TEXT, group: 'vip' })
    expect(newMessage({ ...WRITTEN, ...chosen, target: 'all' })).toEqual({ ...TEXT, all: true })
  })

  it('has a time only if it is scheduled', () => {
    const time = dayjs.unix(1_900_000_000)

    expect(newMessage({ ...WRITTEN, target: 'all', when: 'later', time })).toMatchObject({ send_at: 1_900_000_000 })
    expect(newMessage({ ...WRITTEN, target: 'all', when: 'now', time })).not.toHaveProperty('send_at')
  })
})

describe('an edited message', () => {
  const scheduled: Message = aMessage({ state: 'scheduled', send_at: 1_900_000_000 })

  it('omits its time unless the time was changed', () => {
    const values = valuesOf(scheduled)

    expect(editOf(scheduled, values)).not.toHaveProperty('send_at')
    expect(editOf(scheduled, { ...values, when: 'now' })).toMatchObject({ send_at: null })
    expect(editOf(scheduled, { ...values, time: dayjs.unix(1_900_000_600) })).toMatchObject({ send_at: 1_900_000_600 })
  })

  it('has no time once it was sent', () => {
    const sent = aMessage({ state: 'sent', send_at: 1_700_000_000 })

    expect(Object.keys(editOf(sent, valuesOf(sent))).sort()).toEqual(['content', 'format', 'title'])
  })
})
