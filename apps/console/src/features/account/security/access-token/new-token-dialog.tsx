import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../../ui/feedback/copy-button.tsx'
import { Alert, Button, Modal } from '../../../../ui/kit/index.ts'
import { useLast } from '../../../../lib/use-last.ts'
import styles from './access-token.module.css'

interface Props {
  /** Which kind of token it is. */
  words: 'token' | 'automation'
  /** Null while there is none to show. */
  token: string | null
  onClose(): void
}

/** The only time that the token is seen: a click beside it must not make it go. */
export function NewTokenDialog({ words, token, onClose }: Props) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const shown = useLast(token) ?? ''
  return (
    <Modal
      title={t(`${words}.newTitle`)}
      open={token !== null}
      onCancel={onClose}
      closable={{ 'aria-label': common('close') }}
      mask={{ closable: false }}
      width={480}
      destroyOnHidden
      footer={
        <Button type="primary" onClick={onClose}>
          {common('done')}
        </Button>
      }
    >
      <Alert className={styles.notice} type="warning" showIcon title={t(`${words}.once`)} />
      <output className={styles.token}>
        <CopyButton text={shown} words={shown} label={t(`${words}.copy`, { token: shown })} />
      </output>
      <p className="secondary">{t(`${words}.use`)}</p>
    </Modal>
  )
}
