import { expect, it } from 'vitest'
import { previewOf } from './message-view.ts'

it.each([
  ['# Tide **tables**\n\nSee [the page](https://tide.example), `now`.', 'Tide tables See the page, now.'],
  [
    '> quoted\n\n1. one\n2. two\n- [x] three\n* four\n\n---\n~~gone~~ _slanted_',
    'quoted one two three four gone slanted',
  ],
  ['```sh\nls snake_case\n```\n![boat](b.png)', 'ls snake_case boat'],
  ['| a | b |\n|---|:-:|\n| 1 | 2 |', 'a b 1 2'],
  ['<div>\n<b>Low</b> water</div> &lt;soon&gt; 1 &amp; 2', 'Low water <soon> 1 & 2'],
  ['<https://tide.example/now> or <a@b.example>, 2 * 3 \\* 4', 'tide.example/now or a@b.example, 2 3 * 4'],
  ['潮汐**公告**：今晚维护', '潮汐公告：今晚维护'],
])('previews %j as %j', (content, plain) => {
  expect(previewOf(content, 'markdown')).toBe(plain)
})

it('keeps Markdown syntax in HTML', () => {
  expect(previewOf('<h1>2 * 3</h1><p>a_b &quot;c&quot;&nbsp;d</p>', 'html')).toBe('2 * 3 a_b "c" d')
})

it('cuts more than 100 characters to 97 and an ellipsis, by code points', () => {
  expect(previewOf('x'.repeat(100), 'markdown')).toBe('x'.repeat(100))
  expect(previewOf('x'.repeat(101), 'markdown')).toBe(`${'x'.repeat(97)}...`)
  expect(previewOf('🌊'.repeat(101), 'markdown')).toBe(`${'🌊'.repeat(97)}...`)
})

it('does not show half a tag at the end of its input', () => {
  const preview = previewOf(`<p>${' '.repeat(8180)}<b title="a long one">x</b></p>`, 'html')

  expect(preview).toBe('')
})
