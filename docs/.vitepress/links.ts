import { posix } from 'node:path'

/** Documents outside of `docs` that are pages of the site, by their path in the repository. */
const ROOT_DOCUMENTS: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'project/architecture',
  'CONTRIBUTING.md': 'project/contributing',
  'CHANGELOG.md': 'project/changelog',
  'SECURITY.md': 'project/security-policy',
  'README.md': 'index',
  'docs/adr': 'project/decisions',
}

export interface LinkPlace {
  /** The page that holds the link, below `docs`. */
  readonly page: string
  /** The file its text was included from, from the root of the repository. */
  readonly source: string | undefined
  readonly exists: (page: string) => boolean
}

/**
 * Where a link between documents leads on the site; undefined for files that are no pages, and for links that lead out or
 * within the page. A Chinese page leads to Chinese pages.
 */
export function siteLink(href: string, { page, source, exists }: LinkPlace): string | undefined {
  const [path = '', anchor] = href.split('#')
  const base = posix.dirname(source ?? posix.join('docs', page))
  const target = posix.normalize(posix.join(base, decodeURI(path))).replace(/\/$/, '')
  const found = ROOT_DOCUMENTS[target] ?? /^docs\/(.+)\.md$/.exec(target)?.[1]
  if (found === undefined) return undefined
  const inChinese = page.startsWith('zh/') && !found.startsWith('zh/') && exists(`zh/${found}.md`)
  const where = inChinese ? `zh/${found}` : found
  return `/${where.replace(/(^|\/)index$/, '$1')}${anchor === undefined ? '' : `#${anchor}`}`
}

/** Where a picture is, seen from the page that shows it rather than from the file it was included from. */
export function picturePath(src: string, { page, source }: Omit<LinkPlace, 'exists'>): string | undefined {
  if (source === undefined) return undefined
  return posix.relative(posix.dirname(posix.join('docs', page)), posix.join(posix.dirname(source), src))
}

export const leadsOutside = (href: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(href)
