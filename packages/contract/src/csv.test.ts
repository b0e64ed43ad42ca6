import { expect, it } from 'vitest'
import { csvText, csvValue } from './csv.ts'

it.each([
  '=1+1',
  '+1+1',
  '-1+1',
  '@sum(a1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '\n\n@sum(a1)',
  ' =1',
  '\u00a0=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠sum(a1)',
])('escapes the formula %j', (text) => {
  expect(csvText(text)).toMatch(/^"?'/)
})

it('does not change ordinary texts, and quotes separators', () => {
  expect(['a', '', 'a=b', 'a,b', 'say "a"', 'a\nb'].map(csvText)).toEqual([
    'a',
    '',
    'a=b',
    '"a,b"',
    '"say ""a"""',
    '"a\nb"',
  ])
  expect(csvValue('-1.5')).toBe('-1.5')
})
