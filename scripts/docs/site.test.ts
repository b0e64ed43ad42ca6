import { describe, expect, it } from 'vitest'
import { picturePath, siteLink } from '../../docs/.vitepress/links.ts'
import { isSearched, separateWords } from '../../docs/.vitepress/search-text.ts'

const exists = (page: string) => ['zh/money.md', 'zh/reference/errors.md', 'zh/project/contributing.md'].includes(page)

describe('a link between documents', () => {
  it.each([
    ['money.md', 'limits.md', undefined, '/money'],
    ['../money.md#amounts', 'concepts/credit.md', undefined, '/money#amounts'],
    ['../CONTRIBUTING.md', 'money.md', undefined, '/project/contributing'],
    ['adr/0008-leases-and-journal.md', 'zh/money.md', 'docs/reports/2026-11-money-proofs.md', '/adr/0008-leases-and-journal'],
    ['docs/reports/2026-11-money-proofs.md', 'project/contributing.md', 'CONTRIBUTING.md', '/money'],
    ['docs/adr', 'project/architecture.md', 'ARCHITECTURE.md', '/reference/decisions'],
    ['errors.md#no_channel', 'zh/reference/api.md', 'docs/reference/api.md', '/zh/reference/errors#no_channel'],
    ['money.md', 'zh/limits.md', undefined, '/zh/money'],
    ['../README.md', 'money.md', undefined, '/'],
  ])('%s on %s leads to its page', (href, page, source, target) => {
    expect(siteLink(href, { page, source, exists })).toBe(target)
  })

  it('is left to the build unless it leads to a page', () => {
    expect(siteLink('../package.json', { page: 'money.md', source: undefined, exists })).toBeUndefined()
  })
})

it('resolves images of an included document from the page that includes it', () => {
  const place = { page: 'zh/reference/code-map.md', source: 'docs/project/code-map.md' }

  expect(picturePath('../images/code-map.svg', place)).toBe('../../images/code-map.svg')
})

describe('the search', () => {
  it('separates Chinese words in sentences and shows headings as written', () => {
    expect(separateWords('<h2>余额与租约</h2><p>归还租约</p>')).toBe('<h2>余额与租约</h2><p>归还 租约</p>')
  })

  it('leaves out tables of fields', () => {
    expect(['reference/api/user.md', 'zh/reference/code-map.md', 'reference/api.md'].map(isSearched)).toEqual([
      false,
      false,
      true,
    ])
  })
})
