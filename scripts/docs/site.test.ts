import { describe, expect, it } from 'vitest'
import { picturePath, siteLink } from '../../docs/.vitepress/links.ts'
import { llmsText, pageMarkdown } from '../../docs/.vitepress/markdown-pages.ts'
import { isSearched, separateWords } from '../../docs/.vitepress/search-text.ts'

const exists = (page: string) =>
  ['zh/concepts/money.md', 'zh/reference/errors.md', 'zh/project/contributing.md'].includes(page)

describe('a link between documents', () => {
  it.each([
    ['money.md', 'concepts/rate-limits.md', undefined, '/concepts/money'],
    ['../concepts/money.md#amounts', 'guides/operate.md', undefined, '/concepts/money#amounts'],
    ['../../CONTRIBUTING.md', 'concepts/money.md', undefined, '/project/contributing'],
    ['../adr/0035-one-outbox.md', 'zh/concepts/money.md', 'docs/concepts/money.md', '/adr/0035-one-outbox'],
    ['docs/concepts/money.md', 'project/contributing.md', 'CONTRIBUTING.md', '/concepts/money'],
    ['docs/adr', 'project/architecture.md', 'ARCHITECTURE.md', '/project/decisions'],
    ['errors.md#no_channel', 'zh/reference/api.md', 'docs/reference/api.md', '/zh/reference/errors#no_channel'],
    ['money.md', 'zh/concepts/rate-limits.md', undefined, '/zh/concepts/money'],
    ['../../README.md', 'concepts/money.md', undefined, '/'],
  ])('%s on %s leads to its page', (href, page, source, target) => {
    expect(siteLink(href, { page, source, exists })).toBe(target)
  })

  it('is left to the build unless it leads to a page', () => {
    expect(siteLink('../package.json', { page: 'compare.md', source: undefined, exists })).toBeUndefined()
  })
})

it('resolves images of an included document from the page that includes it', () => {
  const place = { page: 'zh/project/code-map.md', source: 'docs/project/code-map.md' }

  expect(picturePath('../images/code-map.svg', place)).toBe('../../images/code-map.svg')
})

describe('a page as Markdown', () => {
  const files: Record<string, string> = {
    'docs/guides/operate.md': '# Operate\n\n[Limits](../concepts/rate-limits.md#scope) [Site](https://a.example)\n',
    'docs/zh/project/contributing.md':
      '---\nsource: CONTRIBUTING.md\n---\n\n# 参与开发\n\n<!--@include: ../../../CONTRIBUTING.md{2,}-->\n',
    'CONTRIBUTING.md': '# Contributing\nRead [money](docs/concepts/money.md).\n',
  }
  const read = (path: string) => files[path]!

  it('links to the Markdown of other pages', () => {
    expect(pageMarkdown('guides/operate.md', { read, exists })).toBe(
      '# Operate\n\n[Limits](/docs/concepts/rate-limits.md#scope) [Site](https://a.example)\n',
    )
  })

  it('contains included text, with links of the language of the page', () => {
    expect(pageMarkdown('zh/project/contributing.md', { read, exists })).toBe(
      '# 参与开发\n\nRead [money](/docs/zh/concepts/money.md).\n',
    )
  })
})

it('lists existing pages for language models in both languages', () => {
  const text = llmsText(exists)

  expect(text).toContain('](/docs/zh/concepts/money.md)')
  expect(text).not.toContain('](/docs/concepts/money.md)')
})

describe('the search', () => {
  it('separates Chinese words in sentences and shows headings as written', () => {
    expect(separateWords('<h2>余额与租约</h2><p>归还租约</p>')).toBe('<h2>余额与租约</h2><p>归还 租约</p>')
  })

  it('leaves out tables of fields', () => {
    expect(['reference/api/user.md', 'zh/project/code-map.md', 'reference/api.md'].map(isSearched)).toEqual([
      false,
      false,
      true,
    ])
  })
})
