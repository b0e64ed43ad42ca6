import { createHash } from 'node:crypto'
import type { Settings } from '@tidegate/contract'
import { contentSecurityPolicy, headScripts } from './security-headers.ts'

interface AppPage {
  html: string
  policy: string
}

/** The console's page with the operator's additions at the end of its head. Rebuilt when settings change. */
export function createAppPage(template: string): (settings: Settings) => AppPage {
  const end = template.indexOf('</head>')
  if (end === -1) throw new Error('the console page has no head')
  let made: { settings: Settings; page: AppPage } | undefined
  return (settings) => {
    if (made?.settings === settings) return made.page
    // Browsers normalize line ends; the hashes must match the normalized text.
    const head = settings.custom_head_html.replaceAll(/\r\n?/g, '\n')
    const additions = [styleSheet(settings.global_css), script(settings.global_js), head].filter((part) => part !== '')
    const html = [template.slice(0, end), ...additions, template.slice(end)].join('\n')
    const page = {
      html: additions.length === 0 ? template : html,
      policy: contentSecurityPolicy(settings, headScripts(head)),
    }
    made = { settings, page }
    return page
  }
}

function styleSheet(css: string): string {
  return css.trim() === '' ? '' : `<link rel="stylesheet" href="/custom/global.css?v=${versionOf(css)}">`
}

function script(text: string): string {
  return text.trim() === '' ? '' : `<script src="/custom/global.js?v=${versionOf(text)}" defer></script>`
}

/** Part of the URL, so that browsers load a changed file on the next page load. */
function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 10)
}
