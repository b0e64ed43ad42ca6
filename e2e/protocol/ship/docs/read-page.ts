import { createHash } from 'node:crypto'

/** Scripts that stand in a page itself. */
export function inlineScriptsOf(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1]!)
}

/** As a policy names a script. */
export function scriptHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** What stands in blocks that begin with `sh run`: commands that are to work as they are. */
export function runnableBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh run\n([\s\S]*?)^```$/gm)].map((match) => match[1]!)
}
