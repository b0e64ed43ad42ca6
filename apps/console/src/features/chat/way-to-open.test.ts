import { expect, it } from 'vitest'
import { wayToOpen } from './way-to-open.ts'

it.each([
  ['https://chat.example/', 'https:', 'frame'],
  ['http://chat.lan/', 'http:', 'frame'],
  ['http://chat.lan/', 'https:', 'link'],
  ['HTTPS://chat.example/', 'https:', 'frame'],
  ['opencat://join?k=1', 'https:', 'link'],
  ['https://', 'https:', null],
] as const)('opens %s from a page of %s as %s', (address, protocol, way) => {
  expect(wayToOpen(address, { protocol })).toBe(way)
})
