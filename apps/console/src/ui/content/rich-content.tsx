import { lazy, Suspense } from 'react'
import styles from './rich-content.module.css'

const HtmlContent = lazy(() => import('./html-content.tsx'))
const MarkdownContent = lazy(() => import('./markdown-content.tsx'))

export type RichFormat = 'markdown' | 'html' | 'text'

interface Props {
  text: string
  format: RichFormat
  /** Markdown that is still being written: unfinished markup is held back instead of flickering. */
  isStreaming?: boolean
  /** Shows HTML within Markdown as it is written instead of obeying it, for text that is about code. */
  showsHtml?: boolean
}

/** Text by others, made safe and readable. Its parts load when there is something to show. */
export function RichContent({ text, format, isStreaming = false, showsHtml = false }: Props) {
  if (text === '') return null
  if (format === 'text') return <Plain text={text} />
  return (
    <Suspense fallback={<Waiting text={text} isShown={isStreaming} />}>
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

/** Markup is not for reading; words that are just being written are, until their form arrives. */
function Waiting({ text, isShown }: { text: string; isShown: boolean }) {
  return isShown ? <Plain text={text} /> : <div className={styles.waiting} aria-busy />
}
