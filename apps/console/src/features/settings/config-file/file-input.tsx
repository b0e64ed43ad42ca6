import { InboxOutlined } from '@ant-design/icons'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { Input, Upload } from '../../../ui/kit/index.ts'
import styles from './config-file.module.css'

/** What the server takes in one call. */
const LARGEST_FILE = 1_000_000

/** The text of a file, dropped, chosen or pasted. */
export function FileInput({ value, onChange }: { value: string; onChange(text: string): void }) {
  const { t } = useTranslation('settings')
  const id = useId()
  const read = async (file: File) => {
    if (file.size > LARGEST_FILE) return toast.error(t('configFile.apply.tooLarge', { limit: '1 MB' }))
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
          return false // read here, sent nowhere
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
