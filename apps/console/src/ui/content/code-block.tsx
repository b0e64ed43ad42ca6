import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../feedback/copy-button.tsx'
import styles from './rich-content.module.css'

interface Props {
  text: string
  /** The text after the fence, which can contain more than the name. */
  language: string
  /** The closing fence was received. */
  isComplete: boolean
}

export function CodeBlock({ text, language, isComplete }: Props) {
  const { t } = useTranslation()
  const code = text.replace(/\n$/, '')
  const name = /^[\w+#.-]{1,40}/.exec(language)?.[0] ?? ''
  const highlighted = useHighlighted(code, name)
  return (
    <figure className={styles.codeBlock}>
      <figcaption>
        <span>{name || t('richContent.code')}</span>
        {isComplete && <CopyButton text={code} label={t('richContent.copyCode')} />}
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll area must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{highlighted}</code>
      </pre>
    </figure>
  )
}

type Highlight = (code: string, language: string) => ReactNode
let loaded: Highlight | undefined

/** The highlighted code, or plain code until the highlighter is loaded. */
function useHighlighted(code: string, language: string): ReactNode {
  const [highlight, setHighlight] = useState<Highlight | undefined>(() => loaded)
  const hasLanguage = language !== ''
  useEffect(() => {
    if (!hasLanguage || highlight) return
    let isUnmounted = false
    void import('./highlight.ts').then((module) => {
      loaded = module.highlight
      if (!isUnmounted) setHighlight(() => module.highlight)
    })
    return () => {
      isUnmounted = true
    }
  }, [hasLanguage, highlight])
  return hasLanguage && highlight ? highlight(code, language) : code
}
