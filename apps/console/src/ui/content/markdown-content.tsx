import { XMarkdown, type ComponentProps } from '@ant-design/x-markdown'
import { useDeferredValue, useMemo, type ReactNode } from 'react'
import { ALLOW_LIST, MATH_TAG } from './allow-list.ts'
import { CodeBlock } from './code-block.tsx'
import { mathInMarkdown } from './math-in-markdown.ts'
import { MathText } from './math-text.tsx'
import styles from './rich-content.module.css'
import { sanitiseMarkdown } from './sanitise-html.ts'

interface Props {
  text: string
  /** More text will follow; half a word of markup waits for its other half. */
  isStreaming?: boolean
  /** Shows HTML within the text as it is written, for text that is about code. */
  showsHtml?: boolean
}

const COMPONENTS = { code: Code, pre: Pre, table: Table, [MATH_TAG]: Formula }

/** The component cleans too, by the same list; what the list cannot say is ours to check, see `sanitise-html.ts`. */
const RULES = { renderer: { checkbox }, hooks: { postprocess: sanitiseMarkdown } }
const CONFIG = { ...mathInMarkdown({ isGrowing: false }), ...RULES }
const GROWING_CONFIG = { ...mathInMarkdown({ isGrowing: true }), ...RULES }

export default function MarkdownContent({ text, isStreaming = false, showsHtml = false }: Props) {
  // A long answer is drawn anew with every piece: typing and scrolling come first.
  const shown = useDeferredValue(text)
  const streaming = useMemo(() => ({ hasNextChunk: isStreaming }), [isStreaming])
  return (
    <div className={styles.content} data-format="markdown">
      <XMarkdown
        content={shown}
        components={COMPONENTS}
        config={isStreaming ? GROWING_CONFIG : CONFIG}
        dompurifyConfig={ALLOW_LIST}
        escapeRawHtml={showsHtml}
        streaming={streaming}
        disableDefaultStyles
      />
    </div>
  )
}

function Code({ block, lang, children, streamStatus }: ComponentProps) {
  if (!block) return <code>{children}</code>
  return <CodeBlock text={textOf(children)} language={lang ?? ''} isWhole={streamStatus === 'done'} />
}

/** A block of code brings its own frame. */
function Pre({ children, domNode }: ComponentProps) {
  const first = 'children' in domNode ? domNode.children[0] : undefined
  const isCode = first && 'attribs' in first && first.attribs['data-block'] === 'true'
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
  return isCode ? <>{children}</> : <pre tabIndex={0}>{children}</pre>
}

function Table({ children }: ComponentProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className={styles.wide} tabIndex={0}>
      <table>{children}</table>
    </div>
  )
}

type FormulaProps = ComponentProps<{ 'data-tex'?: string; 'data-display'?: string }>

function Formula({ 'data-tex': tex = '', 'data-display': display = 'inline' }: FormulaProps) {
  return <MathText tex={tex} display={display === 'block' ? 'block' : display === 'growing' ? 'growing' : 'inline'} />
}

/** Fields are not for text by others, not even ones that do nothing. */
function checkbox({ checked }: { checked: boolean }): string {
  return `<span data-state="task">${checked ? '☑' : '☐'}</span>`
}

function textOf(children: ReactNode): string {
  if (typeof children === 'string') return children
  return Array.isArray(children) ? children.map((child) => textOf(child as ReactNode)).join('') : ''
}
