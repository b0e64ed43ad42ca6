import { createHash } from 'node:crypto'

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi
const SOURCE = /(?:^|\s)src\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

/**
 * What the policy must name for the scripts of a piece of HTML to run: inline ones by their hash, others by their exact
 * https address. What is written too cleverly for these patterns is not named, and so does not run.
 */
export function headScripts(html: string): string[] {
  const sources = [...html.matchAll(SCRIPT)].map(([, attributes = '', text = '']) => {
    const source = SOURCE.exec(attributes)
    return source ? addressSource(source[1] ?? source[2] ?? source[3] ?? '') : hashSource(text)
  })
  return [...new Set(sources.filter((source) => source !== undefined))]
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** The policy is a list with separators of its own, and knows no queries. */
function addressSource(address: string): string | undefined {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:') return undefined
  return (url.origin + url.pathname).replaceAll(';', '%3B').replaceAll(',', '%2C')
}
