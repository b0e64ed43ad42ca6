import type { Language } from '@tidegate/contract'
import type { Mail } from './mail.ts'

export interface MailParts {
  to: string
  subject: string
  /** What a mail says, a paragraph each. */
  paragraphs: readonly string[]
  /** Stands out after the first paragraph: a code, or an address to open. */
  code?: string
  link?: string
  /** Named under the mail. */
  systemName: string
  language: Language
}

/** The same mail as text and as HTML. Nothing of it is taken as markup, whoever chose the name of the site. */
export function composeMail({ to, subject, paragraphs, code, link, systemName, language }: MailParts): Mail {
  const [first = '', ...rest] = paragraphs
  const feature = code ?? link
  const text = [first, ...(feature === undefined ? [] : [feature]), ...rest, systemName].join('\n\n')
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head>`,
    '<body style="font-family:system-ui,sans-serif;line-height:1.6;color:#1f2328;max-width:36em">',
    paragraph(first),
    ...(code === undefined ? [] : [`<p style="${CODE_STYLE}">${escapeHtml(code)}</p>`]),
    ...(link === undefined ? [] : [`<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`]),
    ...rest.map(paragraph),
    `<p style="color:#6e7781">${escapeHtml(systemName)}</p>`,
    '</body></html>',
  ].join('\n')
  return { to, subject, text, html }
}

const CODE_STYLE = 'font-size:1.6em;font-weight:600;letter-spacing:0.2em'

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)
}
