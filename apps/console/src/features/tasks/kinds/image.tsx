import { ExportOutlined, FileImageOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button, Modal, Spin } from '../../../ui/kit/index.ts'
import styles from '../tasks.module.css'

interface Props {
  /** Null while the dialog is closed. */
  address: string | null
  open: boolean
  title: string
  /** Text for screen readers. */
  alt: string
  onClose(): void
}

const ZOOMS = [1, 1.5, 2, 3, 4] as const

/** An image that can be enlarged or opened in a new tab. */
export function ImageDialog({ address, open, title, alt, onClose }: Props) {
  return (
    <Modal title={title} open={open} onCancel={onClose} width={880} footer={null} destroyOnHidden>
      {address !== null && <Picture key={address} address={address} alt={alt} />}
    </Modal>
  )
}

function Picture({ address, alt }: { address: string; alt: string }) {
  const { t } = useTranslation('drawings')
  const { t: common } = useTranslation()
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading')
  const [step, setStep] = useState(0)
  const zoom = ZOOMS[step]!
  const newTab = (
    <Button
      icon={<ExportOutlined aria-hidden />}
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('image.newTab')}
    >
      {t('image.newTab')}
    </Button>
  )
  if (state === 'broken') {
    return (
      <div role="alert">
        <EmptyState
          icon={<FileImageOutlined aria-hidden />}
          title={t('image.broken')}
          hint={t('image.brokenHint')}
          action={
            <span className={styles.buttons}>
              <Button onClick={retry}>{common('retry')}</Button>
              {newTab}
            </span>
          }
        />
      </div>
    )
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scroll areas must be focusable */}
      <div className={styles.stage} tabIndex={0} data-zoomed={zoom > 1 || undefined} aria-busy={state === 'loading'}>
        {state === 'loading' && <Spin className={styles.imageLoading} />}
        <img
          key={attempt}
          className={styles.picture}
          style={zoom > 1 ? { width: `${zoom * 100}%` } : undefined}
          src={address}
          alt={alt}
          referrerPolicy="no-referrer"
          onLoad={() => setState('shown')}
          onError={() => setState('broken')}
        />
      </div>
      <div className={styles.imageTools}>
        <span className={styles.buttons}>
          <Button
            icon={<ZoomOutOutlined aria-hidden />}
            aria-label={t('image.smaller')}
            disabled={step === 0}
            onClick={() => setStep(step - 1)}
          />
          <output className={`number ${styles.zoom}`}>{zoom * 100}%</output>
          <Button
            icon={<ZoomInOutlined aria-hidden />}
            aria-label={t('image.larger')}
            disabled={step === ZOOMS.length - 1}
            onClick={() => setStep(step + 1)}
          />
        </span>
        {newTab}
      </div>
    </>
  )

  function retry() {
    setAttempt(attempt + 1)
    setState('loading')
  }
}
