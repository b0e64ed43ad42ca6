import { describe, expect, it } from 'vitest'
import { cleanHtml, cleanMarkdown } from './clean-markdown.ts'

const FENCED = '```html\n<script>alert(1)</script>\n<a href="javascript:x">\n```\n'

describe('unchanged Markdown', () => {
  it.each([
    'Tide **tables** & 1 < 2, a < b and b > c, x <3',
    FENCED,
    `~~~\n<iframe src=x>\n~~~\nafter`,
    'Use `<script>` or ``a ` <style>`` in a page.',
    '<https://tide.example/a?b=1&c=2> or <harbour@tide.example>',
    '[tables](https://tide.example "title"), [here](/app/wallet?a=1&b=2), [mail](mailto:a@b.example), ![x](img.png)',
    '[ref]: https://tide.example\n\nSee [ref].',
    'H<sub>2</sub>O<br>\n<details><summary>More</summary>\n\ntext\n\n</details>',
    '| a | b |\n|---|---|\n| 1 | `<b onclick>` |',
    '- [ ] 12:30 boat\n- [x] 13:00 ferry: done',
  ])('%j', (markdown) => {
    expect(cleanMarkdown(markdown)).toBe(markdown)
  })
})

describe('active content is shown as text or has no destination', () => {
  it.each([
    ['<script>alert(1)</script>', '&lt;script>alert(1)&lt;/script>'],
    ['a <img src=x onerror=alert(1)> b', 'a <img src="x" /> b'],
    ['<IMG SRC="https://a.example/x.png" OnError="alert(1)">', '<img src="https://a.example/x.png" />'],
    ['<a href="javascript:alert(1)">x</a>', '<a rel="noopener nofollow">x</a>'],
    ['<a href="https://a.example" target=_top>x</a>', '<a href="https://a.example" rel="noopener nofollow">x</a>'],
    ['<b style="position:fixed" id="x">x</b>', '<b>x</b>'],
    ['<svg/onload=alert(1)>', '&lt;svg/onload=alert(1)>'],
    ['<iframe srcdoc="<script>1</script>">', '&lt;iframe srcdoc="&lt;script>1&lt;/script>">'],
    ['<form action=/api><input></form>', '&lt;form action=/api>&lt;input>&lt;/form>'],
    ['<x " ><script>alert(1)</script>" >', '&lt;x " >&lt;script>alert(1)&lt;/script>" >'],
    ['<img src=x onerror=alert(1) ', '&lt;img src=x onerror=alert(1) '],
    ['<!-- a --><?b?>', '&lt;!-- a -->&lt;?b?>'],
    ['\\`<script>\\`', '\\`&lt;script>\\`'],
    ['<div>\n`<script>alert(1)</script>`\n</div>', '<div>\n`&lt;script>alert(1)&lt;/script>`\n</div>'],
    ['<pre>\n\n`<script>`\n\n</pre>\n`<script>`', '<pre>\n\n`&lt;script>`\n\n</pre>\n`<script>`'],
    ['`one\n\n<script>` two', '`one\n\n&lt;script>` two'],
    ['[x](javascript:alert(1))', '[x](#)'.concat(')')],
    ['[x]( <java\tscript:alert(1)>)', '[x]( #)'],
    ['[x](javascript\\:alert)', '[x](#)'],
    ['[x](java&#115;cript:alert)', '[x](#)'],
    ['![x](data:text/html,y)', '![x](#)'],
    ['[x](//elsewhere.example)', '[x](#)'],
    ['> [x]: vbscript:y', '> [x]: #'],
    ['<javascript:alert(1)>', '&lt;javascript:alert(1)>'],
  ])('%j', (markdown, cleaned) => {
    expect(cleanMarkdown(markdown)).toBe(cleaned)
    expect(cleanMarkdown(cleaned)).toBe(cleaned)
  })

  it('is safe and fast for long runs of unfinished markup', () => {
    for (const piece of ['<a"', '`', '<b x="y">', '`<', '[a](', '\n<p', '<', '``` '].map((text) => text.repeat(8000))) {
      const hasAttributes = /<\w+\s/.test(cleanMarkdown(piece))
      expect([piece.slice(0, 10), hasAttributes]).toEqual([piece.slice(0, 10), false])
    }
  })
})

describe('HTML keeps allowed tags', () => {
  it.each([
    ['<h1>Tide</h1><p>High &amp; dry</p>', '<h1>Tide</h1><p>High &amp; dry</p>'],
    ['<p onclick="x" style="color:red">a<script>b</script></p>', '<p>a</p>'],
    ['<a href="HTTPS://a.example" rel="opener">a</a>', '<a href="HTTPS://a.example" rel="noopener nofollow">a</a>'],
    ['<a href=" java\nscript:alert(1)">a</a>', '<a rel="noopener nofollow">a</a>'],
    ['<a href="//a.example">a</a>', '<a rel="noopener nofollow">a</a>'],
    ['<img src="data:image/svg+xml,x" alt="a"><style>b{}</style>', '<img alt="a" />'],
    ['<iframe src="https://a.example">b</iframe><form><button>c</button></form>', 'c'],
    ['<svg><script>alert(1)</script></svg><math><mi>x</mi></math>', ''],
  ])('%j', (html, cleaned) => {
    expect(cleanHtml(html)).toBe(cleaned)
    expect(cleanHtml(cleaned)).toBe(cleaned)
  })
})
