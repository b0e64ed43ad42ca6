import { XMarkdown, type ComponentProps } from '@ant-design/x-markdown'
import { lazy, Suspense, useDeferredValue, useMemo, type ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'
import { mathInMarkdown } from './math-in-markdown.ts'
import styles from './rich-content.module.css'
import { ALLOW_LIST, MATH_TAG, sanitiseMarkdown } from './sanitise-html.ts'

/** Loaded with its fonts for the first formula. */
const Formula = lazy(() => import('./formula.tsx'))

interface Props {
  text: string
  /** More text follows. Incomplete markup is not shown yet. */
  isStreaming?: boolean
  /** Shows HTML in the text as text. */
  showsHtml?: boolean
}

const COMPONENTS = { code: Code, pre: Pre, table: Table, [MATH_TAG]: MathText }

/** The component sanitises with the same list. `sanitiseMarkdown` checks what a list cannot express. */
const RULES = { renderer: { checkbox }, hooks: { postprocess: sanitiseMarkdown } }
const CONFIG = { ...mathInMarkdown({ isStreaming: false }), ...RULES }
const STREAMING_CONFIG = { ...mathInMarkdown({ isStreaming: true }), ...RULES }

export default function MarkdownContent({ text, isStreaming = false, showsHtml = false }: Props) {
  // Deferred, because a long text renders again with every chunk.
  const shown = useDeferredValue(text)
  const streaming = useMemo(() => ({ hasNextChunk: isStreaming }), [isStreaming])
  return (
    <div className={styles.content} data-format="markdown">
      <XMarkdown
        content={shown}
        components={COMPONENTS}
        config={isStreaming ? STREAMING_CONFIG : CONFIG}
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
  return <CodeBlock text={textOf(children)} language={lang ?? ''} isComplete={streamStatus === 'done'} />
}

/** Code blocks have their own `<pre>`. */
function Pre({ children, domNode }: ComponentProps) {
  const first = 'children' in domNode ? domNode.children[0] : undefined
  const isCode = first && 'attribs' in first && first.attribs['data-block'] === 'true'
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll area must be reachable by keyboard
  return isCode ? <>{children}</> : <pre tabIndex={0}>{children}</pre>
}

function Table({ children }: ComponentProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll area must be reachable by keyboard
    <div className={styles.wide} tabIndex={0}>
      <table>{children}</table>
    </div>
  )
}

type MathProps = ComponentProps<{ 'data-tex'?: string; 'data-display'?: string }>

/** A formula. An incomplete block is shown as its source. */
function MathText({ 'data-tex': tex = '', 'data-display': display = 'inline' }: MathProps) {
  const isBlock = display === 'block' || display === 'incomplete'
  const source = <code className={isBlock ? styles.sourceBlock : undefined}>{tex}</code>
  if (display === 'incomplete') return source
  return (
    <Suspense fallback={source}>
      <Formula tex={tex} isBlock={isBlock} fallback={source} />
    </Suspense>
  )
}

/** Untrusted text must not contain input elements. */
function checkbox({ checked }: { checked: boolean }): string {
  return `<span data-state="task">${checked ? '☑' : '☐'}</span>`
}

function textOf(children: ReactNode): string {
  if (typeof children === 'string') return children
  return Array.isArray(children) ? children.map((child) => textOf(child as ReactNode)).join('') : ''
}
