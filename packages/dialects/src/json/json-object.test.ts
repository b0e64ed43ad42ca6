import { JsonScanner } from '@tidegate/contract'
import { assert, json, property } from 'fast-check'
import { expect, it } from 'vitest'
import { countMembers } from './json-object.ts'

const inText = (text: string) => {
  const scanner = new JsonScanner()
  scanner.push(new TextEncoder().encode(text))
  return scanner.members
}

it('counts like the scanner in a text without repeated names', () => {
  assert(
    property(json({ maxDepth: 4 }), (written) => {
      const text = JSON.stringify(JSON.parse(written))
      expect(countMembers(JSON.parse(text))).toBe(inText(text))
    }),
  )
})

it.each([
  '{"a":1,"a":2}',
  '{"a":[{"b":{"c":1,"c":null}}]}',
  '[{"a":{"x":1},"a":{}}]',
  '{"\\u0061":1,"a":2}',
  '{"__proto__":1,"__proto__":2}',
])('counts fewer members than the text has in %s', (text) => {
  expect(countMembers(JSON.parse(text))).toBeLessThan(inText(text))
})
