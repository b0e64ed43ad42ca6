import { InboxOutlined } from '@ant-design/icons'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { Input, Upload } from '../../../ui/kit/index.ts'
import styles from './config-file.module.css'

/** The limit of the server. */
const MAX_FILE_SIZE = 1_000_000

/** The text of a file that is dropped, selected or pasted. */
export function FileInput({ value, onChange }: { value: string; onChange(text: string): void }) {
  const { t } = useTranslation('settings')
  const id = useId()
  const read = async (file: File) => {
    if (file.size > MAX_FILE_SIZE) return toast.error(t('configFile.apply.tooLarge', { limit: '1 MB' }))
    try {
      onChange(await file.text())
    } catch {
      toast.error(t('configFile.apply.unreadable'))
    }
  }
  return (
    <>
      <Upload.Dragger
        className={styles.drop}
        accept=".yaml,.yml,.txt"
        showUploadList={false}
        aria-label={t('configFile.apply.file')}
        beforeUpload={(file) => {
          void read(file)
          return false // do not upload it
        }}
      >
        <InboxOutlined className={styles.dropIcon} aria-hidden /> {t('configFile.apply.drop')}
      </Upload.Dragger>
      <div className={styles.field}>
        <label htmlFor={id}>{t('configFile.apply.text')}</label>
        <Input.TextArea
          id={id}
          className={`mono ${styles.text}`}
          autoSize={{ minRows: 5, maxRows: 16 }}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          placeholder={t('configFile.apply.textHint')}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </>
  )
}

interface PassphraseProps {
  label: string
  hint: string
  value: string
  onChange(passphrase: string): void
}

/** Browsers must not autofill or save it as a password. */
export function PassphraseInput({ label, hint, value, onChange }: PassphraseProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <Input.Password
        id={id}
        autoComplete="new-password"
        aria-describedby={`${id}-hint`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={`${id}-hint`} className={styles.hint}>
        {hint}
      </span>
    </div>
  )
}
