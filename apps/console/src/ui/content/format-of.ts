import type { RichFormat } from './rich-content.tsx'

/** Detects HTML in a field for Markdown or HTML: text that starts and ends with a tag. */
export function formatOf(text: string): RichFormat {
  return /^\s*<(?:!--|!doctype\b|[a-z][a-z0-9-]*[\s/>])[\s\S]*>\s*$/i.test(text) ? 'html' : 'markdown'
}
