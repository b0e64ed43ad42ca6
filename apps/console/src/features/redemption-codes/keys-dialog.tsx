import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Button, Modal } from '../../ui/kit/index.ts'
import { fileNameOf } from './code.ts'
import styles from './codes.module.css'
import { useCopyText } from '../../ui/feedback/use-copy-text.tsx'
import type { CreatedCodes } from './code-values.ts'
import { saveText } from '../../lib/save-file.ts'

interface Props {
  open: boolean
  codes: CreatedCodes
  onClose(): void
}

/** Shows new codes to copy or download. */
export default function KeysDialog({ open, codes: { name, keys }, onClose }: Props) {
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
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long list scrolls by keyboard */}
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
