import { expect, it } from 'vitest'
import { mediaAddress } from './media-address.ts'

it.each([
  ['https://cdn.example/1.png', 'https://cdn.example/1.png'],
  ['http://10.0.0.1/1.png', 'http://10.0.0.1/1.png'],
  ['/mj/image/1?key=a', '/mj/image/1?key=a'],
  ['//elsewhere.example/1.png', null],
  ['/\\elsewhere.example/1.png', null],
  ['javascript:alert(1)', null],
  ['data:text/html,hi', null],
  ['not an address', null],
  ['', null],
  [7, null],
  [undefined, null],
])('makes of %j the address %j', (given, address) => {
  expect(mediaAddress(given)).toBe(address)
})
