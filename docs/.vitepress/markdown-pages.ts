import { posix } from 'node:path'
import { CONTENTS, type Entry } from './contents.ts'
import { leadsOutside, picturePath, siteLink } from './links.ts'

const ROOT = '/docs'

export interface Sources {
  /** The content of a file, by its path from the root of the repository. */
  read(path: string): string
  exists(page: string): boolean
}

/** A page as plain Markdown: included text in place, links to the Markdown of other pages. */
export function pageMarkdown(page: string, { read, exists }: Sources): string {
  const text = read(posix.join('docs', page))
  const source = /^---\n[\s\S]*?^source: (\S+)$[\s\S]*?^---$/m.exec(text)?.[1]
  const body = text
    .replace(/^---\n[\s\S]*?\n---\n+/, '')
    .replaceAll(/<!--@include: (\S+?)(?:\{(\d+),\})?-->/g, (_, file: string, from = '1') =>
      read(posix.join('docs', posix.dirname(page), file))
        .split('\n')
        .slice(Number(from) - 1)
        .join('\n')
        .trim(),
    )
  return linkToMarkdown(body, (href) => {
    if (leadsOutside(href)) return href
    const target = siteLink(href, { page, source, exists })
    if (target !== undefined) return markdownAddress(target)
    return picturePath(href, { page, source }) ?? href
  })
}

function linkToMarkdown(markdown: string, resolve: (href: string) => string): string {
  return markdown.replaceAll(/(\]\()([^)\s]+)(\))/g, (_, open: string, href: string, close: string) => {
    return open + resolve(href) + close
  })
}

/** `/guides/operate#start` is at `/docs/guides/operate.md#start`. */
export function markdownAddress(path: string): string {
  const [page = '', anchor] = path.split('#')
  const file = page.endsWith('/') ? `${page}index.md` : `${page}.md`
  return ROOT + file + (anchor === undefined ? '' : `#${anchor}`)
}

/** The list of pages for language models: https://llmstxt.org. */
export function llmsText(exists: Sources['exists']): string {
  const list = (language: 'en' | 'zh') =>
    CONTENTS.map((section) => {
      const entries = section.entries.filter(({ path }) => exists(pathIn(language, path)))
      return `## ${section[language]}\n\n${entries.map((entry) => lineOf(entry, language)).join('\n')}`
    }).join('\n\n')
  return `# Tidegate

> An AI model API gateway: upstream channels, users with API tokens and balances, and exact billing of every request.

Every page is Markdown at its address plus \`.md\`. The OpenAPI document of the management API is at \`/api/openapi.json\`.

${list('en')}

# 中文

${list('zh')}
`
}

const pathIn = (language: 'en' | 'zh', path: string) => `${language === 'en' ? '' : 'zh/'}${path}.md`

function lineOf(entry: Entry, language: 'en' | 'zh'): string {
  return `- [${entry[language]}](${ROOT}/${pathIn(language, entry.path)})`
}
