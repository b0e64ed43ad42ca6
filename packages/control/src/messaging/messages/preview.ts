import type { api } from '@tidegate/contract'

const LONGEST = 100
const CUT_AT = 97
/** More than a preview ever needs, so that a long message costs no more than a short one. */
const LOOKED_AT = 8192

/** The beginning of a message as plain text: tags and the signs of Markdown left out, cut with an ellipsis. */
export function previewOf(content: string, format: api.MessageFormat): string {
  const text = withoutTags(content.slice(0, LOOKED_AT))
  const plain = [
    ...readEntities(format === 'markdown' ? withoutMarks(text) : text)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
  return plain.length > LONGEST ? `${plain.slice(0, CUT_AT).join('').trimEnd()}...` : plain.join('')
}

function withoutTags(text: string): string {
  return text
    .replace(/<!--[^]*?(?:-->|$)/g, ' ')
    .replace(/<(?:https?:\/\/|mailto:)([^\s<>]*)>/gi, '$1')
    .replace(/<([\w.+-]+@[\w.-]+)>/g, '$1')
    .replace(/<\/?[a-z][^>]*(?:>|$)/gi, ' ')
}

function withoutMarks(text: string): string {
  return text
    .replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, ' ')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/!?\[([^[\]]*)\]\[[^[\]]*\]/g, '$1')
    .replace(/^[ \t]*\[[^[\]\n]+\]:\s.*$/gm, ' ')
    .replace(/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, ' ')
    .replace(/^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/gm, ' ')
    .replace(/^[ \t>]*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d+[.)][ \t]+)?/gm, '')
    .replace(/\\([!-/:-@[-`{-~])|\|+|[*~`]+|\b_+|_+\b/g, (mark: string, escaped?: string) =>
      mark.startsWith('|') ? ' ' : (escaped ?? ''),
    )
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', amp: '&' }

function readEntities(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|nbsp|amp|#39);/g, (_, name: string) => ENTITIES[name] ?? "'")
}
