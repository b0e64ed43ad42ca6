import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../feedback/copy-button.tsx'
import styles from './rich-content.module.css'

interface Props {
  text: string
  /** As written after the fence; may carry more than the name. */
  language: string
  /** The closing fence is there. */
  isWhole: boolean
}

export function CodeBlock({ text, language, isWhole }: Props) {
  const { t } = useTranslation()
  const code = text.replace(/\n$/, '')
  const name = /^[\w+#.-]{1,40}/.exec(language)?.[0] ?? ''
  const coloured = useColours(code, name)
  return (
    <figure className={styles.codeBlock}>
      <figcaption>
        <span>{name || t('richContent.code')}</span>
        {isWhole && <CopyButton text={code} label={t('richContent.copyCode')} />}
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{coloured}</code>
      </pre>
    </figure>
  )
}

type Highlight = (code: string, language: string) => ReactNode
let loaded: Highlight | undefined

/** The code in colours as soon as they are loaded, plain until then. */
function useColours(code: string, language: string): ReactNode {
  const [highlight, setHighlight] = useState<Highlight | undefined>(() => loaded)
  const wanted = language !== ''
  useEffect(() => {
    if (!wanted || highlight) return
    let isGone = false
    void import('./highlight.ts').then((module) => {
      loaded = module.highlight
      if (!isGone) setHighlight(() => module.highlight)
    })
    return () => {
      isGone = true
    }
  }, [wanted, highlight])
  return wanted && highlight ? highlight(code, language) : code
}
