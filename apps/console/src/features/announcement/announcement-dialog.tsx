import { useTranslation } from 'react-i18next'
import { Button, Modal } from '../../ui/kit/index.ts'
import { OperatorContent } from '../../components/operator-content.tsx'
import styles from './announcement.module.css'

interface Props {
  text: string
  isOpen: boolean
  onClose(): void
}

export default function AnnouncementDialog({ text, isOpen, onClose }: Props) {
  const { t } = useTranslation('shell')
  return (
    <Modal
      open={isOpen}
      width={640}
      centered
      title={t('siteNotice')}
      onCancel={onClose}
      footer={
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that continues
        <Button type="primary" autoFocus onClick={onClose}>
          {t('noticeUnderstood')}
        </Button>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scroll areas must be focusable */}
      <div className={styles.body} tabIndex={0}>
        <OperatorContent text={text} title={t('siteNotice')} page="notice" frameClass={styles.frame} />
      </div>
    </Modal>
  )
}
