import { expect, it } from 'vitest'
import { readNotice } from './change-notifications.ts'

it.each([
  [{ kind: 'catalog', version: 7 }],
  [{ kind: 'caller', tokenHash: 'abc' }],
  [{ kind: 'caller', userId: 3 }],
  [{ kind: 'session', userId: 3 }],
  [{ kind: 'inbox', from: 3, to: 8 }],
])('parses %o', (notice) => {
  expect(readNotice(JSON.stringify(notice))).toEqual(notice)
})

it.each(['', 'no json', 'null', '[]', '{}', '{"kind":"catalog"}', '{"kind":"session","userId":"1"}', '{"kind":"new"}'])(
  'ignores %o',
  (text) => {
    expect(readNotice(text)).toBeUndefined()
  },
)
