import type { XMarkdownProps } from '@ant-design/x-markdown'
import { MATH_TAG } from './allow-list.ts'

type Config = NonNullable<XMarkdownProps['config']>
type Extension = Exclude<NonNullable<Config['extensions']>[number], undefined>

/**
 * `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. The formula travels as text in an element of its own and is set by `MathText`, so
 * the sanitiser need not let in what the typesetter draws with.
 */
export function mathInMarkdown({ isGrowing }: { isGrowing: boolean }): Config {
  const extensions: Extension[] = [mathBlock, mathInLine]
  return { extensions: isGrowing ? [...extensions, openBlock] : extensions }
}

const BLOCK = /^ {0,3}(?:\$\$([^$]{1,10000}?)\$\$|\\\[([\s\S]{1,10000}?)\\\])[ \t]*(?:\n+|$)/
/** What was begun with a line of its own and is not finished yet. */
const OPEN_BLOCK = /^ {0,3}(?:\$\$|\\\[)([^$]{0,10000})$/
const IN_LINE = [
  /^\$\$([^$]{1,10000}?)\$\$/,
  // Sums of money are no formulas: no blank inside the signs, no figure after them.
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
  renderer: ({ tex }) => element(tex as string, 'growing'),
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
  const escaped = tex.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `<${MATH_TAG} data-tex="${escaped}" data-display="${display}"></${MATH_TAG}>`
}

/** Nothing, and not -1, where there is none. */
function indexOf(source: string, sign: RegExp): number | undefined {
  const index = source.search(sign)
  return index === -1 ? undefined : index
}
