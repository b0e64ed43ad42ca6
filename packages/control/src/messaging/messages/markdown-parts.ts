export interface Part {
  text: string
  /** Shown as it stands: a fenced block, or words between backticks. */
  isCode: boolean
}

/** Takes Markdown apart into code and everything else; put together again the parts are the text. */
export function partsOf(markdown: string): Part[] {
  return blocksOf(markdown).flatMap(({ kind, text }) =>
    kind === 'prose' ? splitSpans(text) : [{ text, isCode: kind === 'fence' }],
  )
}

interface Block {
  kind: 'prose' | 'fence' | 'html'
  text: string
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
/** Between HTML and the next blank line Markdown means nothing, backticks included. */
const HTML_BLOCK =
  /^[\s>*+-]*<(?:\/?(?:[a-z][a-z0-9]*)[^>]*>?\s*$|\/?(?:address|blockquote|dd|details|div|dl|dt|fig\w+|h[1-6r]|li|ol|p|pre|summary|t\w+|ul)\b)/i

/** Line by line, since where a block ends depends on how it began. */
function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: Block = { kind: 'prose', text: '' }
  let ends: (line: string) => boolean = () => false
  const begin = (kind: Block['kind'], until: (line: string) => boolean) => {
    if (open.text !== '') blocks.push(open)
    open = { kind, text: '' }
    ends = until
  }
  for (const line of markdown.split(/(?<=\n)/)) {
    const fence = FENCE.exec(line.trimEnd())?.[1]
    if (open.kind === 'prose' && fence !== undefined) begin('fence', closesFence(fence))
    else if (open.kind === 'prose' && HTML_BLOCK.test(line)) begin('html', closesHtml(line))
    else if (ends(line)) {
      open.text += line
      begin('prose', () => false)
      continue
    }
    open.text += line
  }
  return [...blocks, open]
}

function closesFence(fence: string): (line: string) => boolean {
  return (line) => {
    const text = line.trim()
    return /^ {0,3}[`~]/.test(line) && text.length >= fence.length && text === fence[0]!.repeat(text.length)
  }
}

/** What is preformatted goes on over blank lines. */
function closesHtml(first: string): (line: string) => boolean {
  return /<pre\b/i.test(first) ? (line) => /<\/pre>/i.test(line) : (line) => line.trim() === ''
}

/** As many backticks as it began with end a span; a blank line ends the paragraph, and with it any span. */
const SPAN = /(?<![\\`])(`+)(?!`)(?:(?!\n[ \t]*\n)[^])*?(?<!`)\1(?!`)/g

function splitSpans(prose: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const { 0: text, index } of prose.matchAll(SPAN)) {
    parts.push({ text: prose.slice(end, index), isCode: false }, { text, isCode: true })
    end = index + text.length
  }
  return [...parts, { text: prose.slice(end), isCode: false }]
}
