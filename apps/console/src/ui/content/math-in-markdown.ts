import type { XMarkdownProps } from '@ant-design/x-markdown'
import { MATH_TAG } from './sanitise-html.ts'

type Config = NonNullable<XMarkdownProps['config']>
type Extension = Exclude<NonNullable<Config['extensions']>[number], undefined>

/**
 * Parses `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. A formula is passed as text in its own element and rendered by `MathText`, so
 * that the sanitiser does not have to allow the markup of KaTeX.
 */
export function mathInMarkdown({ isStreaming }: { isStreaming: boolean }): Config {
  const extensions: Extension[] = [mathBlock, mathInLine]
  return { extensions: isStreaming ? [...extensions, openBlock] : extensions }
}

const BLOCK = /^ {0,3}(?:\$\$([^$]{1,10000}?)\$\$|\\\[([\s\S]{1,10000}?)\\\])[ \t]*(?:\n+|$)/
/** A block that is not closed yet. */
const OPEN_BLOCK = /^ {0,3}(?:\$\$|\\\[)([^$]{0,10000})$/
const IN_LINE = [
  /^\$\$([^$]{1,10000}?)\$\$/,
  // Not amounts of money: no space inside the dollar signs and no digit after them.
  /^\$(?![\s$])((?:\\.|[^\\$\n]){0,1000}?(?:\\.|[^\\$\s]))\$(?!\d)/,
  /^\\\(([\s\S]{1,10000}?)\\\)/,
  /^\\\[([\s\S]{1,10000}?)\\\]/,
]

const mathBlock: Extension = {
  name: 'mathBlock',
  level: 'block',
  start: (source) => indexOf(source, /(?:^|\n) {0,3}(?:\$\$|\\\[)/),
  tokenizer(source) {
    const found = BLOCK.exec(source)
    if (!found) return undefined
    return { type: 'mathBlock', raw: found[0], tex: (found[1] ?? found[2] ?? '').trim() }
  },
  renderer: ({ tex }) => element(tex as string, 'block'),
}

const openBlock: Extension = {
  name: 'openMathBlock',
  level: 'block',
  tokenizer(source) {
    const found = OPEN_BLOCK.exec(source)
    return found ? { type: 'openMathBlock', raw: found[0], tex: found[1]!.trim() } : undefined
  },
  renderer: ({ tex }) => element(tex as string, 'incomplete'),
}

const mathInLine: Extension = {
  name: 'mathInLine',
  level: 'inline',
  start: (source) => indexOf(source, /\$|\\\(|\\\[/),
  tokenizer(source) {
    for (const [index, rule] of IN_LINE.entries()) {
      const found = rule.exec(source)
      const display = index === 0 || index === 3 ? 'block' : 'inline'
      if (found) return { type: 'mathInLine', raw: found[0], tex: found[1]!.trim(), display }
    }
    return undefined
  },
  renderer: ({ tex, display }) => element(tex as string, display as string),
}

function element(tex: string, display: string): string {
  const escaped = tex.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<${MATH_TAG} data-tex="${escaped}" data-display="${display}"></${MATH_TAG}>`
}

/** Undefined instead of -1. */
function indexOf(source: string, pattern: RegExp): number | undefined {
  const index = source.search(pattern)
  return index === -1 ? undefined : index
}
