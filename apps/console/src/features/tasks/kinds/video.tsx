import { ExportOutlined, VideoCameraOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/kit/index.ts'
import styles from '../tasks.module.css'

/** The player of a video, or an error if it cannot be played. */
export function Video({ address, label }: { address: string; label: string }) {
  const { t } = useTranslation('mediaTasks')
  const [isBroken, setBroken] = useState(false)
  const newTab = (
    <Button icon={<ExportOutlined aria-hidden />} href={address} target="_blank" rel="noopener noreferrer">
      {t('newTab')}
    </Button>
  )
  if (isBroken) {
    return (
      <div role="alert">
        <EmptyState
          icon={<VideoCameraOutlined aria-hidden />}
          title={t('video.broken')}
          hint={t('video.brokenHint')}
          action={newTab}
        />
      </div>
    )
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the speech is not known */}
      <video
        className={styles.video}
        controls
        playsInline
        preload="metadata"
        src={address}
        aria-label={label}
        onError={() => setBroken(true)}
      />
      <div className={styles.below}>{newTab}</div>
    </>
  )
}
