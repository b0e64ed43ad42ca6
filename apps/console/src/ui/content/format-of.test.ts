import { expect, it } from 'vitest'
import { formatOf } from './format-of.ts'

it.each([
  ['<h1>Tides</h1>\n\n    <p>High water</p>\n', 'html'],
  ['<!doctype html><p>a</p>', 'html'],
  ['<!-- a --><br/>', 'html'],
  ['# Tides\n\n<b>high</b>', 'markdown'],
  ['<h1 align="center">Tides</h1>\n\n**High** water', 'markdown'],
  ['<https://tide.example>', 'markdown'],
  ['1 < 2 and 3 > 2', 'markdown'],
])('%j is %s', (text, format) => {
  expect(formatOf(text)).toBe(format)
})
