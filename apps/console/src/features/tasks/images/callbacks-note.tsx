import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../../api/status.ts'
import { stored } from '../../../lib/stored.ts'
import { Alert } from '../../../ui/kit/index.ts'
import styles from './drawings.module.css'

/** Says why progress comes in steps while vendors may not call back, until somebody has read it. */
export function CallbacksNote() {
  const { t } = useTranslation('drawings')
  const { mj_notify_enabled: mayCallBack } = useStatus()
  const [isRead, setRead] = useState(() => stored.drawingCallbacksNoteRead.get() ?? false)
  if (mayCallBack || isRead) return null
  return (
    <Alert
      className={styles.note}
      type="info"
      showIcon
      title={t('callbacksOff')}
      closable={{
        'aria-label': t('callbacksOffRead'),
        onClose: () => {
          stored.drawingCallbacksNoteRead.set(true)
          setRead(true)
        },
      }}
    />
  )
}
