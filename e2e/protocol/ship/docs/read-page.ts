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

/** Programs of a page by section and label: ` ```sh [curl] ` in a code group. */
export function codeGroups(markdown: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>()
  for (const section of markdown.split(/^## /m).slice(1)) {
    const programs = [...section.matchAll(/^```\w+ \[([^\]]+)\]\n([\s\S]*?)^```$/gm)]
    if (programs.length === 0) continue
    const title = section.slice(0, section.indexOf('\n'))
    sections.set(title, new Map(programs.map(([, label, program]) => [label!, program!])))
  }
  return sections
}

/** Commands of all other shell blocks, without their indentation. */
export function commandBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, indentation, text]) =>
    text!.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  )
}
