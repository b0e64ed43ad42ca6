import { expect, it } from 'vitest'
import { BufferedBytes } from './read-body.ts'

it('rejects bodies beyond the total limit, until one is released', () => {
  const held = new BufferedBytes(100)
  const first = held.open()
  const second = held.open()
  first.add(60)
  second.add(40)

  expect(() => second.add(1)).toThrow(expect.objectContaining({ code: 'service_unavailable', retryAfterSeconds: 5 }))

  first.release()
  first.release()
  second.add(60)
  expect(() => first.add(1)).toThrow('')
})
