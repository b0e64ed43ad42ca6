import type { Phrase } from '@tidegate/contract'

/** Something a person is told. Each `{{value}}` of the content, which is Markdown, stands for the next of the values. */
export interface Notice {
  /** What it is about: `quota_exceed`, `channel_test`, … */
  type: string
  title: string
  content: string
  values: readonly string[]
}

/** A notice before anybody knows which language its reader prefers. */
export interface BilingualNotice {
  type: string
  title: Phrase
  content: Phrase
  values: readonly (string | Phrase)[]
}

const PLACEHOLDER = /\{\{value\}\}/g

/** A paragraph of this form is a link: the text, then the address. */
export const LINK = '[{{value}}]({{value}})'

/** Puts the values in their places, in order. What a value holds is never read as a placeholder. */
export function fillIn(template: string, values: readonly string[]): string {
  const left = values.values()
  return template.replace(PLACEHOLDER, () => left.next().value ?? '')
}

/** The notice as Markdown for the inbox; nothing in a value is taken for markup. */
export function asMarkdown({ content, values }: Pick<Notice, 'content' | 'values'>): string {
  return fillIn(content, values.map(quote))
}

/** The notice as plain paragraphs, and where it leads. */
export function asParagraphs({ content, values }: Pick<Notice, 'content' | 'values'>) {
  const left = values.values()
  const paragraphs: string[] = []
  let link: string | undefined
  for (const template of content.split('\n\n')) {
    const own = Array.from(template.matchAll(PLACEHOLDER), () => left.next().value ?? '')
    if (template === LINK) link = own[1]
    else paragraphs.push(fillIn(template, own))
  }
  return { paragraphs, link }
}

/** A text of others inside Markdown of ours: one line, and nothing in it that Markdown would take for its own. */
export function quote(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&')
}
