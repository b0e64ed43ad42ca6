import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { joinSentences } from '../../lib/join-sentences.ts'
import styles from './conflict-alert.module.css'
import { Alert, Button } from '../kit/index.ts'

interface Props {
  /** What was changed by another administrator. */
  text: string
  onReload(): Promise<unknown>
}

/** Says that what is edited was changed meanwhile, and loads the current state without losing what was entered. */
export function ConflictNotice({ text, onReload }: Props) {
  const { t } = useTranslation()
  const [loading, setLoading] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  // A long form may be scrolled away from it.
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [])
  const reload = async () => {
    setLoading(true)
    try {
      await onReload()
    } finally {
      setLoading(false)
    }
  }
  return (
    <div ref={place} className={styles.notice}>
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
