import type { RichFormat } from './rich-content.tsx'

/** Operators write Markdown or HTML into one field: what begins and ends with a tag is HTML. */
export function formatOf(text: string): RichFormat {
  return /^\s*<(?:!--|!doctype\b|[a-z][a-z0-9-]*[\s/>])[\s\S]*>\s*$/i.test(text) ? 'html' : 'markdown'
}
