import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { joinSentences } from '../../lib/join-sentences.ts'
import styles from './conflict-alert.module.css'
import { Alert, Button } from '../kit/index.ts'

interface Props {
  /** Names the object that another administrator changed. */
  text: string
  onReload(): Promise<unknown>
}

/** Warns about an edit conflict. The button loads the current state and keeps the entered values. */
export function ConflictNotice({ text, onReload }: Props) {
  const { t } = useTranslation()
  const [loading, setLoading] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  // The alert may be outside the visible part of a long form.
  useEffect(() => container.current?.scrollIntoView({ block: 'nearest' }), [])
  const reload = async () => {
    setLoading(true)
    try {
      await onReload()
    } finally {
      setLoading(false)
    }
  }
  return (
    <div ref={container} className={styles.notice}>
      <Alert
        type="warning"
        showIcon
        role="alert"
        title={t('conflict.title')}
        description={
          <>
            <p className={styles.text}>{joinSentences(text, t('conflict.help'))}</p>
            <Button size="small" loading={loading} onClick={() => void reload()}>
              {t('conflict.reload')}
            </Button>
          </>
        }
      />
    </div>
  )
}
