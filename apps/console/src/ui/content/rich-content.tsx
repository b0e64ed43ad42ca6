import { lazy, Suspense } from 'react'
import styles from './rich-content.module.css'

const HtmlContent = lazy(() => import('./html-content.tsx'))
const MarkdownContent = lazy(() => import('./markdown-content.tsx'))

export type RichFormat = 'markdown' | 'html' | 'text'

interface Props {
  text: string
  format: RichFormat
  /** For Markdown that is still being received: incomplete markup is hidden to avoid flicker. */
  isStreaming?: boolean
  /** Shows HTML in Markdown as text, for texts about code. */
  showsHtml?: boolean
}

/** Renders untrusted text safely. The renderers are loaded on demand. */
export function RichContent({ text, format, isStreaming = false, showsHtml = false }: Props) {
  if (text === '') return null
  if (format === 'text') return <Plain text={text} />
  return (
    <Suspense fallback={<Loading text={text} isShown={isStreaming} />}>
      {format === 'html' ? (
        <HtmlContent text={text} />
      ) : (
        <MarkdownContent text={text} isStreaming={isStreaming} showsHtml={showsHtml} />
      )}
    </Suspense>
  )
}

function Plain({ text }: { text: string }) {
  return <div className={styles.plain}>{text}</div>
}

/** Streaming text is readable before the renderer is loaded; other markup is not. */
function Loading({ text, isShown }: { text: string; isShown: boolean }) {
  return isShown ? <Plain text={text} /> : <div className={styles.waiting} aria-busy />
}
