import { ExportOutlined, FileImageOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button, Modal, Spin } from '../../../ui/kit/index.ts'
import styles from './drawings.module.css'

interface Props {
  /** Null while nothing is looked at. */
  address: string | null
  open: boolean
  title: string
  /** What is on the picture, for people who cannot see it. */
  words: string
  onClose(): void
}

const ZOOMS = [1, 1.5, 2, 3, 4] as const

/** A picture as large as one likes, or in a tab of its own. */
export function ImageDialog({ address, open, title, words, onClose }: Props) {
  return (
    <Modal title={title} open={open} onCancel={onClose} width={880} footer={null} destroyOnHidden>
      {address !== null && <Picture key={address} address={address} words={words} />}
    </Modal>
  )
}

function Picture({ address, words }: { address: string; words: string }) {
  const { t } = useTranslation('drawings')
  const { t: common } = useTranslation()
  const [tries, setTries] = useState(0)
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading')
  const [step, setStep] = useState(0)
  const zoom = ZOOMS[step]!
  const elsewhere = (
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
              <Button onClick={tryAgain}>{common('retry')}</Button>
              {elsewhere}
            </span>
          }
        />
      </div>
    )
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div className={styles.stage} tabIndex={0} data-zoomed={zoom > 1 || undefined} aria-busy={state === 'loading'}>
        {state === 'loading' && <Spin className={styles.loading} />}
        <img
          key={tries}
          className={styles.picture}
          style={zoom > 1 ? { width: `${zoom * 100}%` } : undefined}
          src={address}
          alt={words}
          referrerPolicy="no-referrer"
          onLoad={() => setState('shown')}
          onError={() => setState('broken')}
        />
      </div>
      <div className={styles.tools}>
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
        {elsewhere}
      </div>
    </>
  )

  function tryAgain() {
    setTries(tries + 1)
    setState('loading')
  }
}
