import { expect, it } from 'vitest'
import { ByteCollector } from './read-body.ts'

it('joins tiny chunks and keeps their order', () => {
  const collector = new ByteCollector()
  for (let at = 0; at < 100_000; at += 1) collector.push(Buffer.from([at % 251]))

  expect(collector.pieces.length).toBeLessThan(2_000)
  expect(collector.length).toBe(100_000)
  expect(collector.bytes().equals(Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251)))).toBe(true)
})
