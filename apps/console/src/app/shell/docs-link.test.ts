import { expect, it } from 'vitest'
import { docsLink } from './docs-link.ts'

it.each([
  'https://docs.example/start',
  'http://10.0.0.2:3000/',
  'HTTPS://DOCS.EXAMPLE',
  '/docs',
  '/docs/zh/?a=1#b',
  '/',
])('takes %s', (written) => {
  expect(docsLink(written)).toBe(written)
})

it.each([
  '',
  'docs',
  'docs.example',
  '//evil.example',
  String.raw`/\evil.example`,
  '/\t/evil.example',
  '/\n/evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://',
])('does not take %j', (written) => {
  expect(docsLink(written)).toBe('')
})
