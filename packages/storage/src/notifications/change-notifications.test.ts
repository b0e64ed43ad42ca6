import { expect, it } from 'vitest'
import { parseNotification } from './change-notifications.ts'

it.each([
  [{ kind: 'catalog', version: 7 }],
  [{ kind: 'caller', tokenHash: 'abc' }],
  [{ kind: 'caller', userId: 3 }],
  [{ kind: 'session', userId: 3 }],
  [{ kind: 'inbox', from: 3, to: 8 }],
])('parses %o', (notification) => {
  expect(parseNotification(JSON.stringify(notification))).toEqual(notification)
})

it.each(['', 'no json', 'null', '[]', '{}', '{"kind":"catalog"}', '{"kind":"session","userId":"1"}', '{"kind":"new"}'])(
  'ignores %o',
  (text) => {
    expect(parseNotification(text)).toBeUndefined()
  },
)
