import { createHash } from 'node:crypto'

/** Inline scripts of a page. */
export function inlineScriptsOf(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1]!)
}

/** The hash of a script in a content security policy. */
export function scriptHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** The contents of `sh run` blocks: commands that must work unchanged. */
export function runnableBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh run\n([\s\S]*?)^```$/gm)].map((match) => match[1]!)
}
