import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/copy-button.tsx'
import styles from './connect.module.css'
import { highlight } from './highlight.tsx'
import type { Snippet } from './snippets/connection.ts'

interface Props {
  /** As the screen shows it, with the key hidden unless it was asked for. */
  shown: Snippet
  /** What is copied, always with the key. */
  copied: Snippet
}

/** Something to paste: where it goes, the text, one button. Long lines scroll in their own block. */
export function CodeBlock({ shown, copied }: Props) {
  const { t } = useTranslation('connect')
  const { t: common } = useTranslation()
  const { place, install } = shown
  return (
    <figure className={styles.block}>
      <figcaption className={styles.blockHead}>
        <span className={styles.place}>
          {place}
          {install && <code className={`mono secondary ${styles.install}`}>{install}</code>}
        </span>
        <CopyButton text={copied.text} label={t('copyBlock', { place })} words={common('copy')} />
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0} aria-label={place}>
        <code>{highlight(shown.text)}</code>
      </pre>
    </figure>
  )
}
