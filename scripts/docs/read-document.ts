/** What a document names that must exist. */
export interface DocumentReferences {
  /** Targets of links and images, without those to other sites. */
  links: string[]
  /** Paths from the root of the repository. */
  paths: string[]
  scripts: NamedScript[]
  /** Code in sentences, and blocks of commands. */
  commands: string[]
  /** Lines that start like an HTML element. The documentation site fails on an element without an end tag. */
  htmlLines: string[]
}

export interface NamedScript {
  name: string
  /** The workspace given with `-w`, if any. */
  workspace: string | undefined
}

const TOP_FOLDERS = ['apps', 'packages', 'e2e', 'lab', 'docs', 'scripts', '.ci']
/** Blocks with commands or file trees; other blocks are examples in a language. */
const CHECKED_BLOCKS = new Set(['', 'sh', 'bash', 'shell', 'console', 'text'])

export function readDocument(markdown: string): DocumentReferences {
  const { prose, blocks } = splitBlocks(markdown)
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!)
  const commands = [...spans, ...blocks]
  return {
    links: linksOf(prose.replaceAll(/`[^`\n]+`/g, '')),
    paths: [...new Set(commands.flatMap(pathsOf))],
    scripts: commands.flatMap(scriptsOf),
    commands,
    htmlLines: [...prose.matchAll(/^[ \t]*<\/?(?!(?:a|img|br)\b)[a-z][^\n]*/gim)].map((match) => match[0].trim()),
  }
}

/** The Unreleased section of a changelog; older sections describe the past. */
export function unreleasedOnly(changelog: string): string {
  const match = /^## \[?Unreleased\]?[^\n]*\n(?<section>[\s\S]*?)(?=^## |$(?![\s\S]))/im.exec(changelog)
  return match?.groups?.section ?? ''
}

/** Anchors of the headings, as GitHub generates them (a repeated heading gets a number), and explicit ones. */
export function anchorsOf(markdown: string): Set<string> {
  const seen = new Map<string, number>()
  const { prose } = splitBlocks(markdown)
  const headings = [...prose.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map((match) => match[1]!)
  const slugs = headings.map((heading) => {
    const slug = slugOf(heading)
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  })
  return new Set([...slugs, ...[...prose.matchAll(/<a id="([^"]+)">/g)].map((match) => match[1]!)])
}

/** The anchor of a heading, as GitHub generates it. */
export function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function splitBlocks(markdown: string): { prose: string; blocks: string[] } {
  const blocks: string[] = []
  const prose = markdown.replaceAll(
    /^[ \t]*(```+|~~~+)[ \t]*(\w*)[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm,
    (_, __, language: string, body: string) => {
      if (CHECKED_BLOCKS.has(language)) blocks.push(body)
      return ''
    },
  )
  return { prose, blocks }
}

function linksOf(prose: string): string[] {
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)]
  const defined = [...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)]
  const html = [...prose.matchAll(/<(?:img|a)\b[^>]*?(?:src|href)="([^"]+)"/g)]
  return [...inline, ...defined, ...html]
    .map((match) => match[1]!)
    .filter((target) => !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target))
}

function pathsOf(text: string): string[] {
  return text
    .split(/[\s"'`()|,;=]+/)
    .map((word) =>
      word
        .replace(/^\.\//, '')
        .replace(/[.:]+$/, '')
        .replace(/:\d+$/, ''),
    )
    .filter((word) => TOP_FOLDERS.some((folder) => word.startsWith(`${folder}/`)))
    .filter((word) => !isPlaceholder(word) && !/(^|\/)(dist|out)(\/|$)/.test(word))
}

/** `packages/<name>/src`, `docs/adr/NNNN-title.md` and `e2e/**` stand for many paths. */
function isPlaceholder(word: string): boolean {
  return /[<>*{}…$]|\.\.\.|NNNN/.test(word)
}

function scriptsOf(text: string): NamedScript[] {
  return [
    ...text.matchAll(/\bnpm\s+(?:run(?:-script)?\s+(?:-s\s+|--silent\s+)?([\w:.-]+)|(start|test))\b([^\n&|;]*)/g),
  ].map((match) => ({
    name: (match[1] ?? match[2])!,
    workspace: /\s(?:-w|--workspace)[ =](\S+)/.exec(match[3] ?? '')?.[1],
  }))
}
