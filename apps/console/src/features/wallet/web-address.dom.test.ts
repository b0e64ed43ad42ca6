import { expect, it } from 'vitest'
import { webAddress } from './web-address.ts'

it.each([
  ['https://shop.example/codes', 'https://shop.example/codes'],
  [' http://pay.example/submit.php ', 'http://pay.example/submit.php'],
  ['javascript:alert(1)', ''],
  ['data:text/html,hello', ''],
  ['https://', ''],
  ['  ', ''],
])('leads from "%s" to "%s"', (written, address) => {
  expect(webAddress(written)).toBe(address)
})
