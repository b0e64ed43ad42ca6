import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Button, Modal } from '../../../ui/kit/index.ts'
import { fileNameOf } from '../coupon-words.ts'
import styles from '../coupons.module.css'
import { useCopyText } from '../../../ui/use-copy-text.tsx'
import type { MadeCoupons } from './made-coupons.ts'
import { saveText } from '../../../lib/save-file.ts'

interface Props {
  open: boolean
  made: MadeCoupons
  onClose(): void
}

/** Hands out the keys that were just made. They can be copied from the list later too. */
export default function KeysDialog({ open, made: { name, keys }, onClose }: Props) {
  const { t } = useTranslation('coupons')
  const { t: common } = useTranslation()
  const copyText = useCopyText()
  const text = keys.join('\n')
  return (
    <Modal
      title={t('made.title', { count: keys.length })}
      open={open}
      onCancel={onClose}
      width={480}
      destroyOnHidden
      footer={[
        <Button key="close" onClick={onClose}>
          {common('close')}
        </Button>,
        <Button key="copy" icon={<CopyOutlined aria-hidden />} onClick={() => void copyText(text)}>
          {t('made.copy')}
        </Button>,
        <Button
          key="download"
          type="primary"
          icon={<DownloadOutlined aria-hidden />}
          onClick={() => saveText(fileNameOf(name), `${text}\n`)}
        >
          {t('made.download')}
        </Button>,
      ]}
    >
      <p className="secondary">{t('made.hint', { name })}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a hundred keys are scrolled by keyboard too */}
      <ul className={styles.keys} aria-label={t('made.keys')} tabIndex={0}>
        {keys.map((key) => (
          <li key={key} className="mono">
            {key}
          </li>
        ))}
      </ul>
    </Modal>
  )
}
